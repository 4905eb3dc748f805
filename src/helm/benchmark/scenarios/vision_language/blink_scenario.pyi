# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BlinkScenario(DeclarativeScenario):
    """Questions about several pictures that people answer at a glance."""
    def __init__(self, category: str) -> None: ...
