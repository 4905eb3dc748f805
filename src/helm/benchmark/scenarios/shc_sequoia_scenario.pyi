# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SHCSequoiaMedScenario(DeclarativeScenario):
    """Can a patient be referred to a clinic, by the notes of palliative care?"""
    def __init__(self, data_path: str) -> None: ...
    POSSIBLE_ANSWER_CHOICES: Any
