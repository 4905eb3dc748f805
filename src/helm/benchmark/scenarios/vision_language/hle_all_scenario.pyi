# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HLEAllScenario(DeclarativeScenario):
    """All questions of Humanity's Last Exam, those with pictures included, for models that see; a judge compares the final answer."""
    def __init__(self) -> None: ...
