# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LogosScenario(DeclarativeScenario):
    """Logos for descriptions of companies."""
    def __init__(self) -> None: ...
