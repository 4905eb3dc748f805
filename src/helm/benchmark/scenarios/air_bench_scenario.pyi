# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AIRBench2024Scenario(DeclarativeScenario):
    """Malicious prompts, by the categories of risk of government rules and company policies."""
    def __init__(self) -> None: ...
