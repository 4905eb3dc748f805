# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LegalSummarizationScenario(DeclarativeScenario):
    """Bills, lawsuits and laws to summarize."""
    def __init__(self, dataset_name: str, sampling_min_length: int | None = ..., sampling_max_length: int | None = ..., doc_max_length: int | None = ...) -> None: ...
    splits_mapping: Any
