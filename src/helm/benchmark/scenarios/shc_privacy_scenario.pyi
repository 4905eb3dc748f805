# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SHCPRIVACYMedScenario(DeclarativeScenario):
    """Does a message of a patient give away private information?"""
    def __init__(self, data_path: str) -> None: ...
    POSSIBLE_ANSWER_CHOICES: Any
