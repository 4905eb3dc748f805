# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ExamsVScenario(DeclarativeScenario):
    """Exam questions as pictures."""
    def __init__(self, language: str, subject_grouped: str, type: str = ...) -> None: ...
