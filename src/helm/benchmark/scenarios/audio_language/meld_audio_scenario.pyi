# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MELDAudioScenario(DeclarativeScenario):
    """Emotions in the speech of a television series."""
    def __init__(self) -> None: ...
