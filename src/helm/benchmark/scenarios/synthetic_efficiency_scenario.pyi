# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

NUM_INPUT_TOKENS: Any
NUM_OUTPUT_TOKENS: Any

class SyntheticEfficiencyScenario(DeclarativeScenario):
    """Prompts of a given number of tokens, to measure how long answers take."""
    def __init__(self, num_instances: Any, num_prompt_tokens: Any = ..., tokenizer: str | None = ...) -> None: ...
