# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MultiPLEScenario(DeclarativeScenario):
    """The functions of HumanEval or MBPP in another language than Python, whose programs are compiled and run with tests (MultiPL-E)."""
    def __init__(self, language: str, dataset: str = ...) -> None: ...
