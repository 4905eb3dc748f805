# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MementosScenario(DeclarativeScenario):
    """Descriptions of sequences of pictures."""
    def __init__(self, subject: str) -> None: ...
