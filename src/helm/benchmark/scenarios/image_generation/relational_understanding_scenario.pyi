# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class RelationalUnderstandingScenario(DeclarativeScenario):
    """Two things or people in one of fifteen relations, such as in, on or pushing."""
    def __init__(self) -> None: ...
