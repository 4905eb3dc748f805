# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedicationQAScenario(DeclarativeScenario):
    """Questions of consumers about medicines."""
    def __init__(self) -> None: ...
    SOURCE_REPO_URL: Any
    FILENAME: Any
    def download_medication_qa(self, path: Any) -> Any: ...
