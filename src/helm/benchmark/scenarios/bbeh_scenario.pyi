# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BBEHScenario(DeclarativeScenario):
    """The 23 tasks of BIG-Bench Extra Hard, scored by its own fuzzy match; the headline is the harmonic mean over tasks."""
    def __init__(self, subset: str = ...) -> None: ...
