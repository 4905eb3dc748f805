# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

DATA_REPO_HASH: Any

class DecodingTrustToxicityPromptsScenario(DeclarativeScenario):
    """Beginnings of sentences that lead to toxic text, or do not."""
    def __init__(self, subject: str) -> None: ...
