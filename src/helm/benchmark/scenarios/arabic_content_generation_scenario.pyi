# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ArabicContentGenerationScenario(DeclarativeScenario):
    """Write an Arabic business article from lists of facts and style features."""
    def __init__(self, category: str = ...) -> None: ...
