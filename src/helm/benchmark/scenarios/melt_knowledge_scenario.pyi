# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MELTKnowledgeViMMRCScenario(DeclarativeScenario):
    """Multiple-choice questions on texts of Vietnamese school books."""
    def __init__(self, randomize_order: Any = ...) -> None: ...
    def process_example(self, sample: Any) -> Any: ...

class MELTKnowledgeZaloScenario(DeclarativeScenario):
    """Vietnamese questions on general knowledge, without a passage."""
    def __init__(self) -> None: ...
