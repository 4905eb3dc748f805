# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MSCOCOCaptioningScenario(DeclarativeScenario):
    """Captions of photographs of everyday scenes, short or long."""
    def __init__(self) -> None: ...
