# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class GoldCommodityNewsScenario(DeclarativeScenario):
    """Does a headline about gold speak of the price, of its direction, of the past or the future?"""
    def __init__(self, category: str) -> None: ...
    CATEGORY_COLUMN_NAMES: Any
    CATEGORY_INSTRUCTIONS: Any
