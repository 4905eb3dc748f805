# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LAMBADAScenario(DeclarativeScenario):
    """The last word of passages that people can guess from the whole passage, but not from its last sentence (LAMBADA, in OpenAI's form)."""
    def __init__(self) -> None: ...
