# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SelfInstructScenario(DeclarativeScenario):
    """Instructions that the authors of Self-Instruct wrote for everyday tasks, with an answer each."""
    def __init__(self) -> None: ...
