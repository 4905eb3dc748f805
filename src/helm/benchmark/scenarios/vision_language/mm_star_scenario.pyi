# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMStarScenario(DeclarativeScenario):
    """Questions that cannot be answered without the picture."""
    def __init__(self, category: str) -> None: ...
