# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class IFBenchScenario(DeclarativeScenario):
    """Requests with instructions that models have not been trained on, and that a program can check (IFBench)."""
    def __init__(self) -> None: ...
