# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMLUScenario(DeclarativeScenario):
    """Multiple-choice questions about 57 subjects, from school to professional exams."""
    def __init__(self, subject: str) -> None: ...
    def download_mmlu(self, path: Any) -> Any: ...
    def process_csv(self, csv_path: Any, split: Any) -> Any: ...
