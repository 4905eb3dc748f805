# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ACIBenchScenario(DeclarativeScenario):
    """Write a clinical note from the conversation of a visit."""
    def __init__(self) -> None: ...
