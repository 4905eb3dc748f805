# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMEScenario(DeclarativeScenario):
    """Yes-or-no questions about pictures."""
    def __init__(self, subject: str) -> None: ...
