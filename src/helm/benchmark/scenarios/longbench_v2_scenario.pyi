# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LongBenchV2Scenario(DeclarativeScenario):
    """Questions with four choices about texts of 8,000 to 2 million words (LongBench v2)."""
    def __init__(self, length: str = ..., max_num_words: int | None = ...) -> None: ...
