# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class IncludeScenario(DeclarativeScenario):
    """Exam questions of 44 languages, written in them and about their regions, with four choices (INCLUDE)."""
    def __init__(self, language: str, subset: str = ...) -> None: ...
