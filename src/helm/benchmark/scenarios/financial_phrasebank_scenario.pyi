# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FinancialPhrasebankScenario(DeclarativeScenario):
    """The sentiment of sentences from English financial news."""
    def __init__(self, agreement: int = ..., random_seed: int = ...) -> None: ...
    TRAIN_SPLIT_SIZE: Any
    INSTRUCTIONS: Any
    DATASET_URL: Any
    AGREEMENT_VALUES: Any
