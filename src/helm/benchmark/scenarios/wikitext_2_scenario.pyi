# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class WikiText2Scenario(DeclarativeScenario):
    """Articles of Wikipedia, for language modeling (WikiText-2, whole articles)."""
    def __init__(self) -> None: ...
