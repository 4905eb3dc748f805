# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ALRAGEScenario(DeclarativeScenario):
    """Questions on Arabic books, answered freely from passages that a search returned."""
    def __init__(self) -> None: ...
