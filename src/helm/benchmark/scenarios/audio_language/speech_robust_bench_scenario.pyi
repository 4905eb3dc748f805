# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SpeechRobustBenchScenario(DeclarativeScenario):
    """Transcription of speech with noise. HELM reuses the files of one level for all others; here their names have the level."""
    def __init__(self, subject: str, level: Any) -> None: ...
