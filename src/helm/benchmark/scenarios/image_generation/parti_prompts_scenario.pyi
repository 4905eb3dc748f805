# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class PartiPromptsScenario(DeclarativeScenario):
    """Prompts of twelve categories, such as people, animals, arts and food."""
    def __init__(self, category: str) -> None: ...
    ALL_CATEGORY: Any
    DATASET_DOWNLOAD_URL: Any
