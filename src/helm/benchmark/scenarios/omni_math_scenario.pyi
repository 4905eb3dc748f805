# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class OmniMATHScenario(DeclarativeScenario):
    """Problems of mathematical olympiads; a judge compares the final answer."""
    def __init__(self) -> None: ...
