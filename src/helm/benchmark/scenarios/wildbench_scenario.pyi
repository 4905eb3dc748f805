# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

REFERENCE_MODELS: Any
SUBSETS: Any

class WildBenchScenario(DeclarativeScenario):
    """Conversations of people with chat models, whose next answer a judge scores with a checklist."""
    def __init__(self, subset: str, use_model_outputs: bool = ...) -> None: ...
