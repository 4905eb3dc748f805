# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

ANSWER_MAPPING: Any
DATA_REPO_HASH: Any
TASK_DATASET_MAPPING: Any

class DecodingTrustFairnessScenario(DeclarativeScenario):
    """Does someone earn more than 50,000 dollars? Asked about groups with different rates."""
    def __init__(self, task: str, train_base_rate: float, test_base_rate: float, num_train: int, num_test: int) -> None: ...
    source_url: Any
