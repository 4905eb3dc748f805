# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class Winogrande_Afr_Scenario(DeclarativeScenario):
    """Winogrande, sentences with a gap to fill from two options, in eleven African languages."""
    def __init__(self, lang: str) -> None: ...
    def download_winogrande_afr(self, path: Any) -> Any: ...
