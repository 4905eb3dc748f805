# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MagazineCoverScenario(DeclarativeScenario):
    """Photos for the covers of magazines with given headlines."""
    def __init__(self) -> None: ...
