# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class XSTestScenario(DeclarativeScenario):
    """Harmless requests that look harmful, and harmful ones beside them."""
    def __init__(self, subject: str = ...) -> None: ...
