# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BingoScenario(DeclarativeScenario):
    """Questions about pictures that mislead models."""
    def __init__(self, subject: str) -> None: ...
