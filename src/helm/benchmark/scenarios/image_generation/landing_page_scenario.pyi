# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class LandingPageScenario(DeclarativeScenario):
    """Landing pages of applications of eighteen kinds, for phones and for the web."""
    def __init__(self) -> None: ...
    PLATFORMS: Any
    APPLICATION_TYPES: Any
