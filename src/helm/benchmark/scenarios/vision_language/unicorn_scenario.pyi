# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class UnicornScenario(DeclarativeScenario):
    """Questions about unusual pictures and sketches."""
    def __init__(self, subject: str) -> None: ...
