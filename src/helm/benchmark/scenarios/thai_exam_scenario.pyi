# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ThaiExamScenario(DeclarativeScenario):
    """Thai school and university exams with four or five choices."""
    def __init__(self, exam: str = ...) -> None: ...
    def process_jsonl(self, jsonl_path: Any, split: Any) -> Any: ...
