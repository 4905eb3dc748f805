# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

class DecodingTrustAdvRobustnessScenario(DeclarativeScenario):
    """Tasks of GLUE with texts that were changed to mislead language models."""
    def __init__(self, glue_task: str) -> None: ...
