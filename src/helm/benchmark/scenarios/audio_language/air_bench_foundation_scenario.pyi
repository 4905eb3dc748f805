# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AirBenchFoundationScenario(DeclarativeScenario):
    """Questions about music with four answers."""
    def __init__(self, subject: str) -> None: ...
