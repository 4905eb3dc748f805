# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SimplePicturesScenario(DeclarativeScenario):
    """Questions about the colour and the shape of drawings, which are made here."""
    def __init__(self) -> None: ...
