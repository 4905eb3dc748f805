# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

datatag2hash: Any

class CopyrightScenario(DeclarativeScenario):
    """Beginnings of books and of code files, to see how much of the rest a model repeats."""
    def __init__(self, datatag: str = ...) -> None: ...
