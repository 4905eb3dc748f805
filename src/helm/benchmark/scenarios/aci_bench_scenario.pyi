# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ACIBenchScenario(DeclarativeScenario):
    """Write a clinical note from the conversation of a visit."""
    def __init__(self) -> None: ...
    PREFIX: Any
    TRAIN_URL: Any
    TEST_URLS: Any
    def download_json(self, url: Any, output_path: Any, file_name: Any) -> Any: ...
    def process_json(self, json_path: Any, split: Any) -> Any: ...
