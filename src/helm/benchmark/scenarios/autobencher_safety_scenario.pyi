# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AutoBencherSafetyScenario(DeclarativeScenario):
    """Questions that a program wrote to find unsafe answers."""
    def __init__(self) -> None: ...
