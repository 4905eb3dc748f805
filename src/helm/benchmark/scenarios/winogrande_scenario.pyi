# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class WinograndeScenario(DeclarativeScenario):
    """Sentences with a gap that one of two words fills, which takes common sense (WinoGrande)."""
    def __init__(self) -> None: ...
