# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMLUProScenario(DeclarativeScenario):
    """Questions of 14 subjects with up to ten choices that need reasoning."""
    def __init__(self, subject: str = ...) -> None: ...
    def process_dataset(self, data: Any, split: Any) -> Any: ...
