# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

PROMPT_SETTINGS_URL: Any
SUBSETS: Any
get_legalbench_instructions: Any
get_legalbench_output_nouns: Any

class LegalBenchScenario(DeclarativeScenario):
    """Tasks of legal reasoning, written by lawyers."""
    def __init__(self, subset: str, random_seed: int = ...) -> None: ...
