# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class UltraSuiteDisorderSymptomsScenario(DeclarativeScenario):
    """Signs of speech disorders in the speech of children."""
    def __init__(self) -> None: ...
