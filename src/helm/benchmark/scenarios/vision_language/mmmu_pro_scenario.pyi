# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class MMMUProScenario(DeclarativeScenario):
    """Questions of university subjects about pictures, with ten choices; or as one picture with everything in it (MMMU-Pro)."""
    def __init__(self, config: str = ...) -> None: ...
