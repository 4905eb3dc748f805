# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DrawBenchScenario(DeclarativeScenario):
    """Prompts that test many abilities, from colours and numbers to rare words and texts in images."""
    def __init__(self, category: str) -> None: ...
    ALL_CATEGORY: Any
    DATASET_DOWNLOAD_URL: Any
