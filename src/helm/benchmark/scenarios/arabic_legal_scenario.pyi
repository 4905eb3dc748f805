# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ArabicLegalQAScenario(DeclarativeScenario):
    """Questions on Arabic law, answered freely."""
    def __init__(self) -> None: ...

class ArabicLegalRAGScenario(DeclarativeScenario):
    """Questions on Arabic law, answered freely from a passage."""
    def __init__(self) -> None: ...
