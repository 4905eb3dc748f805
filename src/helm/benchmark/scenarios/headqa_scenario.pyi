# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HeadQAScenario(DeclarativeScenario):
    """Exam questions for specialised posts in the Spanish health care system, in Spanish or English."""
    def __init__(self, language: str = ..., category: str | None = ...) -> None: ...
    SKIP_VQA: Any
    SKIP_TEXTQA: Any
    HUGGING_FACE_DATASET_PATH: Any
