# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMMLUScenario(DeclarativeScenario):
    """MMLU, translated by people into 14 languages."""
    def __init__(self, locale: str, subject: str) -> None: ...
    OPTIONS: Any
