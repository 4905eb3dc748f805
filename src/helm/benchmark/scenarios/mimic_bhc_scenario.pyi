# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MIMICBHCScenario(DeclarativeScenario):
    """Summarize a clinical note into a brief hospital course."""
    def __init__(self, data_path: str) -> None: ...
