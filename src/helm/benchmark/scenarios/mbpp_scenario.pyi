# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MBPPScenario(DeclarativeScenario):
    """Short Python functions that programmers at the start of their career can write, with three tests each (MBPP)."""
    def __init__(self, subset: str = ...) -> None: ...
