# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

DATASET_URL_PREFIX: Any
INSTRUCTIONS: Any

class FinQAScenario(DeclarativeScenario):
    """Questions about a table and text of a financial report, answered with a program of arithmetic."""
    def __init__(self) -> None: ...
