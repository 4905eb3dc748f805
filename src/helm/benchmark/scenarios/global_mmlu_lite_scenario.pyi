# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class GlobalMMLULiteScenario(DeclarativeScenario):
    """400 questions of MMLU for each of 18 languages, all translated by people, half of them bound to a culture (Global-MMLU-Lite)."""
    def __init__(self, language: str, sensitivity: str = ...) -> None: ...
