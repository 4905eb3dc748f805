# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class BrowseCompScenario(DeclarativeScenario):
    """Questions whose answers are hard to find and easy to check, asked without a search engine (BrowseComp, closed book); a judge compares the final answer."""
    def __init__(self) -> None: ...
