# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AnthropicHHRLHFScenario(DeclarativeScenario):
    """The first message of conversations with an assistant that people judged."""
    def __init__(self, subset: str) -> None: ...
