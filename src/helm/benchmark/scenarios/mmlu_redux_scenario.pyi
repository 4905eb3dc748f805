# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMLUReduxScenario(DeclarativeScenario):
    """A hundred questions of each subject of MMLU whose labels people have checked (MMLU-Redux 2.0)."""
    def __init__(self, subject: str, labels: str = ...) -> None: ...
