# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DocVQAScenario(DeclarativeScenario):
    """Questions about scanned pages, answered by a word or phrase of the page (DocVQA, validation set)."""
    def __init__(self) -> None: ...
