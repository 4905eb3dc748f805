# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class Crossmodal3600Scenario(DeclarativeScenario):
    """Captions of photographs in 36 languages."""
    def __init__(self, location: str, language: str) -> None: ...
