# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AudioCapsScenario(DeclarativeScenario):
    """Captions of sounds."""
    def __init__(self) -> None: ...
