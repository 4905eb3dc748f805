# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FLEURSFairnessScenario(DeclarativeScenario):
    """Transcription of English sentences that women or men read."""
    def __init__(self, gender: str) -> None: ...
