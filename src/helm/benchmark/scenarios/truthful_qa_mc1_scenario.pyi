# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class TruthfulQAMC1Scenario(DeclarativeScenario):
    """Questions that many people answer wrongly, one true answer and several false ones; whether a model finds the true one most likely (TruthfulQA, MC1)."""
    def __init__(self) -> None: ...
