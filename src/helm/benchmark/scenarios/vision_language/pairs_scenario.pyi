# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class PAIRSScenario(DeclarativeScenario):
    """Questions about people on generated pictures, which their looks do not answer."""
    def __init__(self, subset: str, person: str) -> None: ...
