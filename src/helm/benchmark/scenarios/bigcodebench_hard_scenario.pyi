# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BigCodeBenchHardScenario(DeclarativeScenario):
    """The 148 hardest tasks of BigCodeBench, which call functions of many libraries; answers are run against unit tests."""
    def __init__(self, prompt: str = ..., tests: str = ...) -> None: ...
