# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AlGhafaScenario(DeclarativeScenario):
    """Multiple-choice tasks from Arabic data sets checked by native speakers."""
    def __init__(self, subset: str) -> None: ...
    HF_SPLIT_TO_HELM_SPLIT: Any
    REFERENCE_PREFIX: Any
