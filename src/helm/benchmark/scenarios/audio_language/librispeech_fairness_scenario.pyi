# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LibriSpeechFairnessScenario(DeclarativeScenario):
    """Transcription of audio books that women or men read."""
    def __init__(self, gender: str) -> None: ...
