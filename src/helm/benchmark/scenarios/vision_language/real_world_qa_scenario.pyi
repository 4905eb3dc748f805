# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class RealWorldQAScenario(DeclarativeScenario):
    """Questions about photographs of the real world."""
    def __init__(self) -> None: ...
