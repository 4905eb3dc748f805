# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MSCOCOCategorizationScenario(DeclarativeScenario):
    """What kinds of things and materials are on photographs."""
    def __init__(self) -> None: ...
