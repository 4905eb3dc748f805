# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class Chart2CSVScenario(DeclarativeScenario):
    """Charts whose data are to be written as CSV."""
    def __init__(self) -> None: ...
