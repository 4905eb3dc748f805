# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedMCQAScenario(DeclarativeScenario):
    """Four-choice questions of Indian medical entrance exams."""
    def __init__(self) -> None: ...
    ANSWER_OPTION_TO_INDEX: Any
    DATASET_DOWNLOAD_URL: Any
