# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class VoxCeleb2Scenario(DeclarativeScenario):
    """Whether two recordings are of the same person."""
    def __init__(self) -> None: ...
