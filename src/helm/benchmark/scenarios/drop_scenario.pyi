# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DROPScenario(DeclarativeScenario):
    """Questions about passages that need counting, sorting and arithmetic (DROP)."""
    def __init__(self) -> None: ...
