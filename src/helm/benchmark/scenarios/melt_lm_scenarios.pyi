# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MELTLMMaskFillingMLQAScenario(DeclarativeScenario):
    """Vietnamese passages with a tenth of their words masked."""
    def __init__(self) -> None: ...

class MELTLMSpellingCorrectionVSECScenario(DeclarativeScenario):
    """Vietnamese sentences with spelling mistakes to correct."""
    def __init__(self) -> None: ...
