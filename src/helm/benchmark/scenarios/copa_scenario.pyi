# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class COPAScenario(DeclarativeScenario):
    """Which of two sentences is the cause or the effect of a third one (COPA, of SuperGLUE)."""
    def __init__(self) -> None: ...
