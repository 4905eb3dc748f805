# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AraTrustScenario(DeclarativeScenario):
    """Three-option questions about trustworthiness, from privacy to unfairness, written in Arabic."""
    def __init__(self, category: str) -> None: ...
    CATEGORIES: Any
    OPTION_KEYS: Any
    OPTION_DELIMITER_CHARACTER: Any
    OPTION_PREFIX_CHARACTERS: Any
