# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MultiRCScenario(DeclarativeScenario):
    """Whether each of several answers to a question about a passage is right (MultiRC, of SuperGLUE)."""
    def __init__(self) -> None: ...
