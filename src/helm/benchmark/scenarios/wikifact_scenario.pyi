# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

NAME_TO_PID: Any
PID_TO_NAME: Any

class WIKIFactScenario(DeclarativeScenario):
    """Complete a sentence with the missing end of a Wikidata triple."""
    def __init__(self, subject: str) -> None: ...
