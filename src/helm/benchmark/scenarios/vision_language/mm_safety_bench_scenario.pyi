# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMSafetyBenchScenario(DeclarativeScenario):
    """Harmful requests with words in pictures."""
    def __init__(self, subset: str) -> None: ...
