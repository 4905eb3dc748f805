# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class TIMEMostSignificantHistoricalFigures(DeclarativeScenario):
    """Names of the people whom TIME magazine ranked as most significant in history."""
    def __init__(self) -> None: ...
