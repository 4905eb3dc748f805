# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ARCAGI1Scenario(DeclarativeScenario):
    """Tasks that change coloured squares by a rule to be found from a few examples (ARC-AGI-1, public evaluation set); two attempts for each test input."""
    def __init__(self, subset: str = ...) -> None: ...
