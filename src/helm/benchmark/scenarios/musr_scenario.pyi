# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MuSRScenario(DeclarativeScenario):
    """Multistep soft reasoning (MuSR) - murder mysteries, hidden objects and teams in long narratives, as multiple choice."""
    def __init__(self, task: str) -> None: ...
