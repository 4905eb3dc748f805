# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ARCScenario(DeclarativeScenario):
    """Multiple-choice questions of science exams for grades 3 to 9, the AI2 Reasoning Challenge (ARC)."""
    def __init__(self, subset: str) -> None: ...
