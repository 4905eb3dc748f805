# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MSCOCOScenario(DeclarativeScenario):
    """Captions of photographs, each with the photograph; for image quality, alignment and variants of the prompts."""
    def __init__(self) -> None: ...
