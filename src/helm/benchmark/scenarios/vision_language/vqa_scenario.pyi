# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class VQAScenario(DeclarativeScenario):
    """Questions about photographs of everyday scenes, answered by ten people each."""
    def __init__(self) -> None: ...
