# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMMUOfficialScenario(DeclarativeScenario):
    """Questions of college exams with pictures (MMMU, validation set), with choices or open, asked with reasoning and scored by MMMU's own rules."""
    def __init__(self, subject: str) -> None: ...
