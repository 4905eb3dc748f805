# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class InteractiveQAMMLUScenario(DeclarativeScenario):
    """The questions of MMLU that people answered together with models (HALIE)."""
    def __init__(self, subject: str) -> None: ...
    INTERACTIVE_QA_DIR: Any
    MMLU_SPLITS: Any
    VALID_SUBJECTS: Any
