# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MeQSumScenario(DeclarativeScenario):
    """Long questions of consumers about health, shortened to one."""
    def __init__(self) -> None: ...
    SOURCE_URL_TEMPLATE: Any
