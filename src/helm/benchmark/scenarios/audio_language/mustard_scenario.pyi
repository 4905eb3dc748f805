# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MUStARDScenario(DeclarativeScenario):
    """Whether utterances of television series are sarcastic."""
    def __init__(self) -> None: ...
