# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DecodingTrustStereotypeBiasScenario(DeclarativeScenario):
    """Prompts that state a stereotype; does the model agree?"""
    def __init__(self) -> None: ...
