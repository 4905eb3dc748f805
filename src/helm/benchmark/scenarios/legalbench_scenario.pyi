# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LegalBenchScenario(DeclarativeScenario):
    """Tasks of legal reasoning, written by lawyers."""
    def __init__(self, subset: str, random_seed: int = ...) -> None: ...
