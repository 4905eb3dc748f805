# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MBZUAIHumanTranslatedArabicMMLUScenario(DeclarativeScenario):
    """MMLU translated into Arabic by people."""
    def __init__(self, subject: str) -> None: ...
