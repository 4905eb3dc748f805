# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HMMTScenario(DeclarativeScenario):
    """Problems of the Harvard-MIT Mathematics Tournament, whose answers are expressions (HMMT, MathArena's copy)."""
    def __init__(self, competition: str = ...) -> None: ...
