# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class GlobalMMLUScenario(DeclarativeScenario):
    """MMLU in 42 languages, translated and in part checked by people (Global-MMLU)."""
    def __init__(self, language: str, subject: str = ...) -> None: ...
