# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CasualConversations2Scenario(DeclarativeScenario):
    """The age or gender of speakers. The videos are of Meta, which gives them on request."""
    def __init__(self, subject: str) -> None: ...
