# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MIMICIVBillingCodeScenario(DeclarativeScenario):
    """Name the ICD-10 codes of a clinical note."""
    def __init__(self, data_path: str) -> None: ...
