# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FinancialPhrasebankScenario(DeclarativeScenario):
    """The sentiment of sentences from English financial news."""
    def __init__(self, agreement: int = ..., random_seed: int = ...) -> None: ...
