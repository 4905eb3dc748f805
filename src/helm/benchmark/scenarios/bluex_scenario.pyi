# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BLUEXScenario(DeclarativeScenario):
    """Entrance exams of two Brazilian universities; questions with images are left out."""
    def __init__(self) -> None: ...
