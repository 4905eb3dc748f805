# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BigBenchHardScenario(DeclarativeScenario):
    """The 27 tasks of BIG-bench Hard (BBH), asked for the answer alone after three examples."""
    def __init__(self, task: str) -> None: ...
