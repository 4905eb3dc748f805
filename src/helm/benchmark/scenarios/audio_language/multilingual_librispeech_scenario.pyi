# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MultilingualLibriSpeechScenario(DeclarativeScenario):
    """Transcription of audio books in seven languages."""
    def __init__(self, language: str) -> None: ...
