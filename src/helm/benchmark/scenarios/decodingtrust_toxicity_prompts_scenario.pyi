# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DecodingTrustToxicityPromptsScenario(DeclarativeScenario):
    """Beginnings of sentences that lead to toxic text, or do not."""
    def __init__(self, subject: str) -> None: ...
