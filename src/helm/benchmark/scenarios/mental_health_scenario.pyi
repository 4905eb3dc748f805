# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MentalHealthScenario(DeclarativeScenario):
    """Answer as a counselor in a conversation about mental health."""
    def __init__(self, data_path: str) -> None: ...
    def process_dialogue_data(self, data: Any) -> Any: ...
