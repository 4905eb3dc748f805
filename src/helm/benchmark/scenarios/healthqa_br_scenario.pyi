# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HEALTHQA_BR_Scenario(DeclarativeScenario):
    """Questions of Brazilian medical exams."""
    def __init__(self) -> None: ...
