# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedecScenario(DeclarativeScenario):
    """Find and correct the wrong sentence in a clinical text, or say that there is none."""
    def __init__(self) -> None: ...
    GIT_HASH: Any
    TRAIN_URL: Any
    TEST_URL: Any
    def download_csv(self, url: Any, output_path: Any, file_name: Any) -> Any: ...
    def process_csv(self, csv_path: Any, split: Any) -> Any: ...
