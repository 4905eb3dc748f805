# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MathVistaScenario(DeclarativeScenario):
    """Mathematical questions about figures and photographs."""
    def __init__(self, grade: str, question_type: str) -> None: ...
