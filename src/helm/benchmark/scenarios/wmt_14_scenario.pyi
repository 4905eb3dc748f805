# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

MAX_TRAIN_INSTANCES: Any

class WMT14Scenario(DeclarativeScenario):
    """Sentences of news and parliament, translated from or into English."""
    def __init__(self, source_language: Any, target_language: Any) -> None: ...
