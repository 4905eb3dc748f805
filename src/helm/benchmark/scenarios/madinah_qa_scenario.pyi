# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MadinahQAScenario(DeclarativeScenario):
    """Multiple-choice questions on the Arabic language, general and grammar."""
    def __init__(self, subset: str) -> None: ...
    OPTIONS: Any
    SUBSETS: Any
    HF_SPLIT_TO_HELM_SPLIT: Any
