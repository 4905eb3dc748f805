# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class AIMEScenario(DeclarativeScenario):
    """The thirty problems of the American Invitational Mathematics Examination (AIME) of a year; answers are numbers from 0 to 999."""
    def __init__(self, year: int = ...) -> None: ...
