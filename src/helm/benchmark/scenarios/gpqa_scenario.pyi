# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

SUBSETS: Any
TRAIN_EXAMPLE_INDICES: Any

class GPQAScenario(DeclarativeScenario):
    """Questions of biology, physics and chemistry that experts of other fields cannot answer with a search engine."""
    def __init__(self, subset: str, random_seed: int = ...) -> None: ...
