# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HumanEvalEvalPlusScenario(DeclarativeScenario):
    """The functions of HumanEval with the inputs of EvalPlus's release file, compared by its own rules; humaneval_plus runs the tests of the Hub's copy."""
    def __init__(self) -> None: ...
