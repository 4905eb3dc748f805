# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class TruthfulQAMC2Scenario(DeclarativeScenario):
    """Questions that many people answer wrongly, and several true and false answers; the probability that a model gives to the true ones (TruthfulQA, MC2)."""
    def __init__(self) -> None: ...
