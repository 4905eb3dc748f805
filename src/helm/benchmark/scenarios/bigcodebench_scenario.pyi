# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

VERSIONS: Any

class BigCodeBenchScenario(DeclarativeScenario):
    """Programming tasks that call functions of many libraries; answers are run against unit tests."""
    def __init__(self, version: str, tests: str = ...) -> None: ...
