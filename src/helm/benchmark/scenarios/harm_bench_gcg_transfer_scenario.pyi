# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class HarmBenchGCGTransferScenario(DeclarativeScenario):
    """HarmBench's standard behaviours with adversarial suffixes that were optimized on other models."""
    def __init__(self) -> None: ...
