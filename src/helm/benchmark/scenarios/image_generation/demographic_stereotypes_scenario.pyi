# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DemographicStereotypesScenario(DeclarativeScenario):
    """Faces of people with an attribute or an occupation, to see which gender and skin tone they get."""
    def __init__(self, category: str) -> None: ...
    DESCRIPTORS: Any
    OCCUPATIONS: Any
    CATEGORY_TO_PROMPTS: Any
