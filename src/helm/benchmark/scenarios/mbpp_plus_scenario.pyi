# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MBPPPlusScenario(DeclarativeScenario):
    """The 378 functions of MBPP whose questions EvalPlus has checked, with about 35 times as many tests."""
    def __init__(self) -> None: ...
