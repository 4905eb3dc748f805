# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CaseHOLDScenario(DeclarativeScenario):
    """Which holding of five does a citation in a legal opinion stand for?"""
    def __init__(self) -> None: ...
    NUM_REFERENCES: Any
    HELM_SPLIT_NAME_TO_DATASETS_SPLIT_NAME: Any
