# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class StarrPatientInstructionsScenario(DeclarativeScenario):
    """Write instructions for a patient after an operation."""
    def __init__(self, data_path: str) -> None: ...
