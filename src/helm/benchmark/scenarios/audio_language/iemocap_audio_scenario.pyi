# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class IEMOCAPAudioScenario(DeclarativeScenario):
    """Emotions in the speech of actors. As in HELM, only the first sound of each session is used."""
    def __init__(self) -> None: ...
