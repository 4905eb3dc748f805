# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LSATScenario(DeclarativeScenario):
    """Analytical reasoning ("logic games") of the Law School Admission Test."""
    def __init__(self, task: str) -> None: ...
