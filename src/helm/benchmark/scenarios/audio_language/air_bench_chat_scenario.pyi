# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AirBenchChatScenario(DeclarativeScenario):
    """Questions about speech, sounds and music."""
    def __init__(self, subject: str) -> None: ...
