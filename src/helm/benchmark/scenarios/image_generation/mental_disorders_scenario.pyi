# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MentalDisordersScenario(DeclarativeScenario):
    """Faces of people with a mental disorder, to see which gender and skin tone they get."""
    def __init__(self) -> None: ...
    MENTAL_DISORDERS: Any
