# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MediQAScenario(DeclarativeScenario):
    """Questions that patients asked, with the answer that experts ranked first; scored by overlap, without a judge."""
    def __init__(self) -> None: ...
    def process_csv(self, data: Any, split: Any) -> Any: ...
