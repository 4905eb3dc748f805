# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ArabicMMLUScenario(DeclarativeScenario):
    """School and university exam questions of 40 subjects from Arabic-speaking countries, with 2 to 5 options."""
    def __init__(self, subset: str) -> None: ...
    OPTIONS: Any
    HF_SPLIT_TO_HELM_SPLIT: Any
