# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MIMICRRSScenario(DeclarativeScenario):
    """Write the impression of a radiology report from its findings."""
    def __init__(self, data_path: str) -> None: ...
