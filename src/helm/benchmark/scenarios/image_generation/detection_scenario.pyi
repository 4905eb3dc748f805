# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DetectionScenario(DeclarativeScenario):
    """Objects, numbers of objects and their places in images, which a detector checks."""
    def __init__(self, skill: str) -> None: ...
    DATASET_DOWNLOAD_URL: Any
