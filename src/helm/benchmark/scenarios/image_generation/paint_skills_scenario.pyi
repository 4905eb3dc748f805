# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class PaintSkillsScenario(DeclarativeScenario):
    """Objects, numbers of objects and their places, each with a rendered scene."""
    def __init__(self, skill: str) -> None: ...
    SKILL_TO_DOWNLOAD_URL: Any
