# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMLU_Clinical_Afr_Scenario(DeclarativeScenario):
    """Three medical subjects of MMLU in eleven African languages."""
    def __init__(self, subject: str, lang: str) -> None: ...
    def download_mmlu_clinical_afr(self, path: Any) -> Any: ...
    def process_csv(self, csv_path: Any, split: Any) -> Any: ...
