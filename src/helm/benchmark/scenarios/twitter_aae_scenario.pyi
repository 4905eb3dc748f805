# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

CODALAB_URI_TEMPLATE: Any

class TwitterAAEScenario(DeclarativeScenario):
    """Tweets in African American and in White-aligned English, as text to score."""
    def __init__(self, demographic: str) -> None: ...
