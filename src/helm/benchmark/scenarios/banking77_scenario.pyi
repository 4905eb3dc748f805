# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class Banking77Scenario(DeclarativeScenario):
    """Customer service queries of a bank, by intent (77 classes)."""
    def __init__(self) -> None: ...
