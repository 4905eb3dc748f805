# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class PubMedQAScenario(DeclarativeScenario):
    """Answer a research question with yes, no or maybe from the abstract of a paper."""
    def __init__(self) -> None: ...
    POSSIBLE_ANSWER_CHOICES: Any
