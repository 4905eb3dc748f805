# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CommonVoice15Scenario(DeclarativeScenario):
    """Transcription of sentences that volunteers read."""
    def __init__(self, language: str) -> None: ...
