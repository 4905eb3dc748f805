# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class SimpleQAVerifiedScenario(DeclarativeScenario):
    """A thousand questions of SimpleQA with checked answers and accepted ranges of numbers; a judge says whether an answer is right, wrong or left open (SimpleQA Verified)."""
    def __init__(self) -> None: ...
