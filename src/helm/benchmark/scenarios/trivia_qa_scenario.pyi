# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class TriviaQAScenario(DeclarativeScenario):
    """Questions of quiz enthusiasts, asked without any document (TriviaQA)."""
    def __init__(self) -> None: ...
