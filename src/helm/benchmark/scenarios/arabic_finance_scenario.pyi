# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ArabicFinanceBoolScenario(DeclarativeScenario):
    """Yes-or-no questions on financial statements, in Arabic or English."""
    def __init__(self, lang: str = ...) -> None: ...

class ArabicFinanceCalculationScenario(DeclarativeScenario):
    """Calculations on financial statements, in Arabic or English."""
    def __init__(self, lang: str = ...) -> None: ...

class ArabicFinanceMCQScenario(DeclarativeScenario):
    """Multiple-choice questions on financial statements, in Arabic or English."""
    def __init__(self, lang: str = ...) -> None: ...
