# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MathVistaQueriesScenario(DeclarativeScenario):
    """Mathematical questions about figures, charts and photographs (MathVista, testmini), in the words of the data, by its own rules."""
    def __init__(self) -> None: ...
