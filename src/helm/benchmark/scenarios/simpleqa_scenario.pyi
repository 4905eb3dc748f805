# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SimpleQAScenario(DeclarativeScenario):
    """Short questions of fact with one answer that does not change, asked without tools; a judge says whether an answer is right, wrong or left open (SimpleQA)."""
    def __init__(self) -> None: ...
