# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class OABExamsScenario(DeclarativeScenario):
    """The exams of the Brazilian bar association; annulled questions are left out."""
    def __init__(self) -> None: ...
