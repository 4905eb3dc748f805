# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SuperGPQAScenario(DeclarativeScenario):
    """Questions of 285 graduate disciplines with four to ten choices (SuperGPQA), asked for the letter alone or with reasoning."""
    def __init__(self, difficulty: str = ...) -> None: ...
