# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CivilCommentsScenario(DeclarativeScenario):
    """Is a comment of a news site toxic? Comments that name a group of people, or all."""
    def __init__(self, demographic: str) -> None: ...
    DEMOGRAPHICS: Any
    DATASET_DOWNLOAD_URL: Any
    ALL_DEMOGRAPHICS: Any
    SPLIT_MAPPING: Any
