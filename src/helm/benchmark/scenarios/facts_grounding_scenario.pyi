# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class FACTSGroundingScenario(DeclarativeScenario):
    """Requests to be answered from a long document alone; a judge looks for claims that it does not support (FACTS Grounding, public set)."""
    def __init__(self) -> None: ...
