"""Critiques by a model whose rating is part of free text."""

import re
from collections.abc import Callable, Mapping
from re import Pattern
from typing import ClassVar

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.critique_metric import (
    Answer,
    PooledCritiqueMetric,
    free_response,
    get_input,
    get_reference_text,
    get_response_text,
)
from helm.common.critique_request import CritiqueQuestionTemplate
from helm.common.data.helm_prompts import check_wording, read_helm_constant

_TEXTS: Mapping[str, Callable[[RequestState], str]] = {
    "input": lambda request_state: get_input(request_state)[0],
    "response": get_response_text,
    "reference": get_reference_text,
}
RATING = re.compile(r"Rating:\s*([1-5])")


class RubricCritiqueMetric(PooledCritiqueMetric):
    """Emits one stat from 1 to 5: the first `Rating: N` of each answer.

    Args:
        num_respondents: number of answers to ask for.
        max_tokens: largest number of tokens of an answer.
        prompts: `helm` asks in HELM's words, which have to be fetched; None in the words of this package.
        critic: see `CritiqueMetric`.
    """

    question_name: ClassVar[str]

    rating: ClassVar[Pattern[str]] = RATING

    shows_media: ClassVar[bool] = False
    """Whether the respondent gets the instance's picture or sound."""

    fields: ClassVar[Mapping[str, str]] = {}
    """Values of the placeholders: `input`, `response` or `reference`."""

    helm_constant: ClassVar[str] = ""
    """HELM's constant with its wording of the question, in the module of the same name; empty if there is none."""

    def __init__(self, num_respondents: int, max_tokens: int, prompts: str | None = None, critic: str | None = None):
        super().__init__(num_respondents, max_tokens, critic)
        if check_wording(type(self).__name__, prompts):
            # The placeholders have the names of the fields.
            self.instructions: str = read_helm_constant(self.helm_path(), self.helm_constant)  # type: ignore[misc]

    @classmethod
    def helm_path(cls) -> str:
        """Return the path of the file with HELM's wording in HELM's repository."""
        return f"src/helm/benchmark/metrics/{cls.__module__.rpartition('.')[2]}.py"

    def get_questions(self, request_state: RequestState) -> list[CritiqueQuestionTemplate]:
        media = get_input(request_state)[1] if self.shows_media else None
        return [free_response(self.question_name, media=media)]

    def get_fields(self, request_state: RequestState) -> dict[str, str]:
        return {name: _TEXTS[what](request_state) for name, what in self.fields.items()}

    def rate(self, question: CritiqueQuestionTemplate, answer: Answer) -> float | None:
        match = self.rating.search(answer) if isinstance(answer, str) else None
        return int(match.group(1)) if match else None
