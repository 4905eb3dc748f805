# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HealthBenchScenario(DeclarativeScenario):
    """Conversations about health whose next answer a judge scores by the criteria that physicians wrote for it (HealthBench)."""
    def __init__(self, subset: str = ...) -> None: ...
