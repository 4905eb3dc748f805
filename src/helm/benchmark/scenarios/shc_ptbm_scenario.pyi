# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SHCPTBMMedScenario(DeclarativeScenario):
    """Does a note of a visit recommend behaviour training to the parents of a child with ADHD?"""
    def __init__(self, data_path: str) -> None: ...
    POSSIBLE_ANSWER_CHOICES: Any
