# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedecScenario(DeclarativeScenario):
    """Find and correct the wrong sentence in a clinical text, or say that there is none."""
    def __init__(self) -> None: ...
