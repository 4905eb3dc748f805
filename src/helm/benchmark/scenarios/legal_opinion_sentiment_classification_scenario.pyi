# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LegalOpinionSentimentClassificationScenario(DeclarativeScenario):
    """The sentiment of sentences from legal opinions."""
    def __init__(self) -> None: ...
    SENTIMENT_CLASSES: Any
    SPLIT_TO_URL: Any
    def create_instances(self, df: Any, split: Any) -> Any: ...
