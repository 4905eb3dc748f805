# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class RAFTScenario(DeclarativeScenario):
    """Eleven classification tasks of the real world with fifty labelled rows each."""
    def __init__(self, subset: str, random_seed: int = ...) -> None: ...
