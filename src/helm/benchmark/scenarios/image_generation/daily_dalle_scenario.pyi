# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DailyDallEScenario(DeclarativeScenario):
    """Prompts of an artist who published an image that DALL-E 2 made every day."""
    def __init__(self) -> None: ...
