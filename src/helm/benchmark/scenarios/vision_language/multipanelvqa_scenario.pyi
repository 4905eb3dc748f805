# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MultipanelVQAScenario(DeclarativeScenario):
    """Questions about pictures of several panels."""
    def __init__(self, subject: str, question_type: str) -> None: ...
