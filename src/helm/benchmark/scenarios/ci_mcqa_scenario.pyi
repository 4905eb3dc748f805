# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CIMCQAScenario(DeclarativeScenario):
    """Questions about concepts of causal inference. The files are private."""
    def __init__(self) -> None: ...
    DATASET_DOWNLOAD_URL: Any
