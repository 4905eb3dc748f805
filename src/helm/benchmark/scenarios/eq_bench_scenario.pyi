# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class EQBenchScenario(DeclarativeScenario):
    """How strongly a character of a dialogue feels each of four emotions, as numbers from 0 to 10 (EQ-Bench 2)."""
    def __init__(self) -> None: ...
