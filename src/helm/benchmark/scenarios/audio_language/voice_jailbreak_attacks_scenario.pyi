# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class VoiceJailbreakAttacksScenario(DeclarativeScenario):
    """Spoken requests that try to make a model do harm."""
    def __init__(self, subset: str) -> None: ...
