# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ArabicEXAMSScenario(DeclarativeScenario):
    """School exam questions in Arabic, from EXAMS."""
    def __init__(self, subject: str) -> None: ...
    CHOICES: Any
    HF_SPLIT_TO_HELM_SPLIT: Any
