# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class WinogroundScenario(DeclarativeScenario):
    """Captions that have the same words as another one in another order, each with its picture."""
    def __init__(self) -> None: ...
