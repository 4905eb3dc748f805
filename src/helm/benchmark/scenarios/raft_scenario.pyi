# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

PROMPT_SETTINGS_URL: Any
SUBSETS: Any
get_raft_instructions: Any

class RAFTScenario(DeclarativeScenario):
    """Eleven classification tasks of the real world with fifty labelled rows each."""
    def __init__(self, subset: str, random_seed: int = ...) -> None: ...
