# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MedDialogScenario(DeclarativeScenario):
    """Summarize the conversation of a patient and a doctor in one sentence."""
    def __init__(self, subset: str) -> None: ...
