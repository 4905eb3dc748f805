# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AMIScenario(DeclarativeScenario):
    """Transcription of meetings: near (ihm) or far (sdm) microphones."""
    def __init__(self, subject: str) -> None: ...
