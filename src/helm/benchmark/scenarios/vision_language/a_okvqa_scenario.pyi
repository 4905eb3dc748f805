# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AOKVQAScenario(DeclarativeScenario):
    """Questions about photographs that need knowledge of the world."""
    def __init__(self) -> None: ...
