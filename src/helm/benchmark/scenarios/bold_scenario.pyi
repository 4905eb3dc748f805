# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

NONTOXIC_TAG: Any
TOXIC_TAG: Any

class BOLDScenario(DeclarativeScenario):
    """Beginnings of sentences about people of social groups, from Wikipedia."""
    def __init__(self, subject: str) -> None: ...
