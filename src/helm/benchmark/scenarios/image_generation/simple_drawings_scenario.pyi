# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SimpleDrawingsScenario(DeclarativeScenario):
    """Drawings of one or two coloured shapes; two lie beside each other, in either order of the words."""
    def __init__(self) -> None: ...
