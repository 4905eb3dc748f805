# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class TweetSentBRScenario(DeclarativeScenario):
    """Sentiment of Brazilian tweets."""
    def __init__(self) -> None: ...
    def process_dataset(self, dataset: Any, split: Any) -> Any: ...
