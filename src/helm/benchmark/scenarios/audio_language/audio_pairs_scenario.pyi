# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AudioPAIRSScenario(DeclarativeScenario):
    """Questions about speakers that their voices do not answer."""
    def __init__(self, subject: str) -> None: ...
