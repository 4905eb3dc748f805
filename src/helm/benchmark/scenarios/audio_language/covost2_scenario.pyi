# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CoVoST2Scenario(DeclarativeScenario):
    """Translation of speech. The recordings are in Common Voice 4, which users get themselves."""
    def __init__(self, source_language: str, target_language: str) -> None: ...
