# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from typing import Any

from helm.benchmark.declarative.declarative_scenario import DeclarativeScenario

SUPPORTED_LANGUAGES: Any

class CulturalValueUnderstandingWVSScenario(DeclarativeScenario):
    """Questions of the World Values Survey, put to a persona who answered them."""
    def __init__(self, language: str, num_personas: Any, num_question_variants: Any, include_few_shot_examples: Any) -> None: ...

class SocialNormApplicationNormADScenario(DeclarativeScenario):
    """Whether what someone does in a story is acceptable in a country."""
    def __init__(self, language: str) -> None: ...

class SocialNormExplanationNormADScenario(DeclarativeScenario):
    """Why what someone does in a story is acceptable in a country, or not."""
    def __init__(self, language: str) -> None: ...
