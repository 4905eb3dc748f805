# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ZebraLogicScenario(DeclarativeScenario):
    """Puzzles about who lives in which house, to be solved as a whole table in JSON (ZebraLogic)."""
    def __init__(self) -> None: ...
