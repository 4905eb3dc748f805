# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMMUScenario(DeclarativeScenario):
    """Questions of college exams with pictures inside the text, in thirty subjects."""
    def __init__(self, subject: str, question_type: str) -> None: ...
