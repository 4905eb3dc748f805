# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HLEScenario(DeclarativeScenario):
    """The questions of Humanity's Last Exam that have no picture, from a hundred subjects at the edge of what people know; a judge compares the final answer."""
    def __init__(self) -> None: ...
