# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MATH500Scenario(DeclarativeScenario):
    """The 500 problems of MATH that papers report as MATH-500; the answer is boxed after the working."""
    def __init__(self) -> None: ...
