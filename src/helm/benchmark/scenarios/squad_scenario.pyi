# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SQuADScenario(DeclarativeScenario):
    """Questions about passages of Wikipedia whose answers are spans of the passage (SQuAD 1.1)."""
    def __init__(self) -> None: ...
