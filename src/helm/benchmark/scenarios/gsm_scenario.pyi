# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class GSM8KScenario(DeclarativeScenario):
    """Grade school word problems; the answer reasons and ends with a number."""
    def __init__(self) -> None: ...
