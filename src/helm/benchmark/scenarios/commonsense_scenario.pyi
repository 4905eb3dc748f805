# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class CommonSenseQAScenario(DeclarativeScenario):
    """Questions about common sense, written from relations of ConceptNet."""
    def __init__(self) -> None: ...
    @classmethod
    def json_to_instance(self, item: Any, split: Any) -> Any: ...

class HellaSwagScenario(DeclarativeScenario):
    """Which ending follows from the beginning of a story or instruction?"""
    def __init__(self) -> None: ...
    @classmethod
    def json_to_instance(self, item: Any, split: Any) -> Any: ...

class OpenBookQA(DeclarativeScenario):
    """Questions of elementary science that need an open book and common sense."""
    def __init__(self) -> None: ...
    @classmethod
    def json_to_instance(self, item: Any, split: Any) -> Any: ...

class PiqaScenario(DeclarativeScenario):
    """Which of two ways reaches a goal in the physical world?"""
    def __init__(self) -> None: ...
    @classmethod
    def json_to_instance(self, item: Any, label: Any, split: Any) -> Any: ...

class SiqaScenario(DeclarativeScenario):
    """Why do people act as they do, and what comes of it?"""
    def __init__(self) -> None: ...
    @classmethod
    def json_to_instance(self, item: Any, label: Any, split: Any) -> Any: ...
