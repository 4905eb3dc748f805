# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class KoalaScenario(DeclarativeScenario):
    """Real queries of web users to chat models."""
    def __init__(self) -> None: ...
