# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FLEURSScenario(DeclarativeScenario):
    """Transcription of read sentences."""
    def __init__(self, language: str) -> None: ...
