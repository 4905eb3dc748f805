# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class VerifiabilityJudgementScenario(DeclarativeScenario):
    """Does the source that a search engine cites support its statement?"""
    def __init__(self) -> None: ...
