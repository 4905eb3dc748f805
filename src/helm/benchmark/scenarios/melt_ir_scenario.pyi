# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MELTInformationRetrievalMMARCOScenario(DeclarativeScenario):
    """Which passages answer a question, in the Vietnamese translation of MS MARCO."""
    def __init__(self, valid_topk: int | None = ...) -> None: ...

class MELTInformationRetrievalMRobustScenario(DeclarativeScenario):
    """Which articles fit a search, in the Vietnamese translation of Robust04."""
    def __init__(self, valid_topk: int | None = ...) -> None: ...
