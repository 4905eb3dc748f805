# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MuToxScenario(DeclarativeScenario):
    """Whether utterances from pages of the web are toxic. Pages that are gone make the data set smaller."""
    def __init__(self, language: str) -> None: ...
