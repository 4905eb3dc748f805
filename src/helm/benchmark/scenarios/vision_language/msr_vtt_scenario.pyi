# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MSRVTTScenario(DeclarativeScenario):
    """Captions of short videos."""
    def __init__(self) -> None: ...
