# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class ENEMChallengeScenario(DeclarativeScenario):
    """The Brazilian national high school exam, 2009 to 2023; annulled questions are left out."""
    def __init__(self) -> None: ...
