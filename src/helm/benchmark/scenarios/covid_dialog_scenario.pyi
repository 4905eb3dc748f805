# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class COVIDDialogScenario(DeclarativeScenario):
    """Conversations of patients and doctors about COVID-19."""
    def __init__(self) -> None: ...
    SOURCE_URL_TEMPLATE: Any
