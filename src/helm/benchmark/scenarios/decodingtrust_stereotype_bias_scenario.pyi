# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

DATA_REPO_HASH: Any

class DecodingTrustStereotypeBiasScenario(DeclarativeScenario):
    """Prompts that state a stereotype; does the model agree?"""
    def __init__(self) -> None: ...
