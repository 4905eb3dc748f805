# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BLiMPScenario(DeclarativeScenario):
    """Pairs of sentences of which one is grammatical, by linguistic phenomenon."""
    def __init__(self, phenomenon: str) -> None: ...
    phenomenon_to_paradigms: Any
