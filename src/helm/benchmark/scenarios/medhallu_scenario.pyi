# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedHalluScenario(DeclarativeScenario):
    """Tell whether an answer to a medical question is made up."""
    def __init__(self) -> None: ...
