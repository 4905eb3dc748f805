# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CLEARScenario(DeclarativeScenario):
    """Does a note say that a patient has a condition?"""
    def __init__(self, condition: str, data_path: str) -> None: ...
    CONDITIONS: Any
    CONDITION_PROMPTS: Any
    def get_answer_choices(self) -> Any: ...
