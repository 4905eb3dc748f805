# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class I2PScenario(DeclarativeScenario):
    """Prompts of users for which models made inappropriate images although the prompts are not toxic."""
    def __init__(self, category: str) -> None: ...
    ALL_CATEGORY: Any
