# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LegalSupportScenario(DeclarativeScenario):
    """Which of two cited cases supports a passage of a legal opinion?"""
    def __init__(self) -> None: ...
