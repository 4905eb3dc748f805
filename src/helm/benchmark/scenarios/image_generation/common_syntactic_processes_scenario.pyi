# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CommonSyntacticProcessesScenario(DeclarativeScenario):
    """Sentences that differ by one grammatical construction, such as passive or negation."""
    def __init__(self, phenomenon: str) -> None: ...
    BINDING_PRINCIPLES: Any
    PASSIVES: Any
    WORD_ORDER: Any
    COORDINATION: Any
    COMPARATIVES: Any
    NEGATION: Any
    ELLIPSIS: Any
    STRUCTURAL_AMBIGUITY: Any
