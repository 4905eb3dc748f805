# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Optional

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SUMOSumScenario(DeclarativeScenario):
    """Write the title of an article about climate."""
    def __init__(self, train_filter_min_length: Optional[int] = ..., train_filter_max_length: Optional[int] = ..., test_filter_min_length: Optional[int] = ..., test_filter_max_length: Optional[int] = ..., truncate_length: Optional[int] = ...) -> None: ...
