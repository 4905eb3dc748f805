# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class OCRBenchScenario(DeclarativeScenario):
    """Short texts, key facts and formulas that a picture shows (OCRBench)."""
    def __init__(self) -> None: ...
