# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

NONTOXIC_SUB_SPLIT: Any
TOXIC_SUB_SPLIT: Any

class RealToxicityPromptsScenario(DeclarativeScenario):
    """Beginnings of sentences from the web that models may continue in a toxic way."""
    def __init__(self) -> None: ...
