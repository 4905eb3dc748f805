# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class UltraSuiteASRClassificationScenario(DeclarativeScenario):
    """Transcripts of the speech of children, which are right only if it developed typically."""
    def __init__(self) -> None: ...
