# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class GPQASimpleEvalsScenario(DeclarativeScenario):
    """The 198 questions of GPQA Diamond with OpenAI's order of choices and rule for letters (simple-evals); gpqa asks as HELM does."""
    def __init__(self) -> None: ...
