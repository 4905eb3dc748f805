# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedQAScenario(DeclarativeScenario):
    """Four-choice questions in the style of US medical licensing exams."""
    def __init__(self) -> None: ...
    DATASET_DOWNLOAD_URL: Any
