# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedBulletsFreeTextScenario(DeclarativeScenario):
    """Medbullets questions to be answered in free text."""
    def __init__(self) -> None: ...

class MedBulletsScenario(DeclarativeScenario):
    """Questions in the style of the second and third US medical licensing exam, with five choices."""
    def __init__(self) -> None: ...
    POSSIBLE_ANSWER_CHOICES: Any
    DATASET_DOWNLOAD_BASE_URL: Any
    def process_csv(self, csv_path: Any, split: Any) -> Any: ...
