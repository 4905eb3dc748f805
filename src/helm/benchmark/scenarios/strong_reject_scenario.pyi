# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class StrongRejectScenario(DeclarativeScenario):
    """Prompts that every model should decline; a judge rates how useful the answer is, and lower is safer (StrongREJECT, without jailbreaks)."""
    def __init__(self) -> None: ...
