# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FinanceBenchScenario(DeclarativeScenario):
    """Questions about reports of public companies, with the page that holds the answer."""
    def __init__(self) -> None: ...
