# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MELTTranslationOPUS100Scenario(DeclarativeScenario):
    """Translation between Vietnamese and English, of many kinds of text."""
    def __init__(self, source_language: Any, target_language: Any) -> None: ...

class MELTTranslationPhoMTScenario(DeclarativeScenario):
    """Translation between Vietnamese and English, from PhoMT."""
    def __init__(self, source_language: Any, target_language: Any) -> None: ...
