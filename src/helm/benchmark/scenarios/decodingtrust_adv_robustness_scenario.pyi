# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

ANSWER_MAPPING: Any
DATA_REPO_HASH: Any
TASK_TO_KEYS: Any

class DecodingTrustAdvRobustnessScenario(DeclarativeScenario):
    """Tasks of GLUE with texts that were changed to mislead language models."""
    def __init__(self, glue_task: str) -> None: ...
    source_url: Any
