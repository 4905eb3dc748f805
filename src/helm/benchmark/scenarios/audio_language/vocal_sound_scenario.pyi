# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class VocalSoundScenario(DeclarativeScenario):
    """Coughs, laughter and other sounds of people."""
    def __init__(self, sound: str) -> None: ...
