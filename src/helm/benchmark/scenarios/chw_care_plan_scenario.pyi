# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CHWCarePlanScenario(DeclarativeScenario):
    """Bring the note of a community health worker into a given form."""
    def __init__(self, data_path: str) -> None: ...
