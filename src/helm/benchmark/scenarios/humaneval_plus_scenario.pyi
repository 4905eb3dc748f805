# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HumanEvalPlusScenario(DeclarativeScenario):
    """The 164 functions of HumanEval, with about eighty times as many tests, of EvalPlus."""
    def __init__(self) -> None: ...
