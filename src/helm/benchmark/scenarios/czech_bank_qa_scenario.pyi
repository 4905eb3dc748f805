# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CzechBankQAScenario(DeclarativeScenario):
    """Requests of bank employees, to be answered with a query over the tables of a Czech bank of 1999."""
    def __init__(self, config_name: str = ...) -> None: ...
    INSTRUCTIONS: Any
