# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FairFaceScenario(DeclarativeScenario):
    """Age, gender and race of people on photographs."""
    def __init__(self, attribute: str, subgroup: str) -> None: ...
