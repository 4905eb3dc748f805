# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SHCGIPMedScenario(DeclarativeScenario):
    """Does a referral belong in the clinic that it was sent to?"""
    def __init__(self, data_path: str) -> None: ...
    POSSIBLE_ANSWER_CHOICES: Any
