# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SciQScenario(DeclarativeScenario):
    """Multiple-choice questions about physics, chemistry, biology and other sciences, written by crowd workers from textbooks (SciQ)."""
    def __init__(self) -> None: ...
