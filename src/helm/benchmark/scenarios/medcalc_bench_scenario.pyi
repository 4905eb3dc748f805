# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedCalcBenchScenario(DeclarativeScenario):
    """Medical scores and values, computed from a patient's note."""
    def __init__(self, version: str | None = ...) -> None: ...
    def process_csv(self, data: Any, split: Any) -> Any: ...
