# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ChartQAScenario(DeclarativeScenario):
    """Questions about charts, written by people and by a program, whose numbers may be off by 5 percent (ChartQA)."""
    def __init__(self) -> None: ...
