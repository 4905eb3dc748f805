# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SimpleSafetyTestsScenario(DeclarativeScenario):
    """Simple requests that every model should decline."""
    def __init__(self) -> None: ...
