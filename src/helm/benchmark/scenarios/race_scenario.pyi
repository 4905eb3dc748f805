# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class RACEScenario(DeclarativeScenario):
    """Multiple-choice questions about passages, from English exams of Chinese schools (RACE)."""
    def __init__(self, level: str = ...) -> None: ...
