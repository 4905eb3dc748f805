# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SUMOSumScenario(DeclarativeScenario):
    """Write the title of an article about climate."""
    def __init__(self, train_filter_min_length: int | None = ..., train_filter_max_length: int | None = ..., test_filter_min_length: int | None = ..., test_filter_max_length: int | None = ..., truncate_length: int | None = ...) -> None: ...
