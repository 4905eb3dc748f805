# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AutoBencherCapabilitiesScenario(DeclarativeScenario):
    """Questions that a language model wrote to find weak spots of others."""
    def __init__(self, subject: str) -> None: ...
    SUBJECTS: Any
