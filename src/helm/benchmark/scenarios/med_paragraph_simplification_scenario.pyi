# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedParagraphSimplificationScenario(DeclarativeScenario):
    """Summaries of medical studies, rewritten in plain language."""
    def __init__(self) -> None: ...
    DOWNLOAD_URL_TEMPLATE: Any
