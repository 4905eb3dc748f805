# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AnthropicRedTeamScenario(DeclarativeScenario):
    """The first thing that people said who tried to make an assistant misbehave."""
    def __init__(self) -> None: ...
