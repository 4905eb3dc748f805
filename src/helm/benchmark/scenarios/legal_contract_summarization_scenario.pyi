# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LegalContractSummarizationScenario(DeclarativeScenario):
    """Summarize a part of a contract in plain English."""
    def __init__(self) -> None: ...
    TRAIN_RATIO: Any
    ID_COLUMN_NAME: Any
    ARTICLE_COLUMN_NAME: Any
    SUMMARY_COLUMN_NAME: Any
