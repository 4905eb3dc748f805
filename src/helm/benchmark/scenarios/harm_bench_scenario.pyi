# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HarmBenchScenario(DeclarativeScenario):
    """Requests for harmful behaviour; a judge says whether the answer is harmful."""
    def __init__(self) -> None: ...
