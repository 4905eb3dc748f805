# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class IFEvalScenario(DeclarativeScenario):
    """Instructions whose fulfilment a program can check, such as a number of words."""
    def __init__(self) -> None: ...
