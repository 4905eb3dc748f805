# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class InfiniteBenchEnSumScenario(DeclarativeScenario):
    """Novels with changed names, to summarize."""
    def __init__(self, max_num_words: int = ...) -> None: ...
