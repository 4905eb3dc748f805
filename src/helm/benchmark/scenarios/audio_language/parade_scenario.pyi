# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class PARADEScenario(DeclarativeScenario):
    """Questions about speakers that their voices do not answer, in two voices."""
    def __init__(self, voice: str, subset: str) -> None: ...
