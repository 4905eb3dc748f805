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

_TEXTS: Mapping[str, Callable[[RequestState], str]] = {
    "input": lambda request_state: get_input(request_state)[0],
    "response": get_response_text,
    "reference": get_reference_text,
}
RATING = re.compile(r"Rating:\s*([1-5])")


class RubricCritiqueMetric(PooledCritiqueMetric):
    """Emits one stat from 1 to 5: the first `Rating: N` of each answer."""

    question_name: ClassVar[str]

    rating: ClassVar[Pattern[str]] = RATING

    shows_media: ClassVar[bool] = False
    """Whether the respondent gets the instance's picture or sound."""

    fields: ClassVar[Mapping[str, str]] = {}
    """Values of the placeholders: `input`, `response` or `reference`."""

    def __init__(self, num_respondents: int, max_tokens: int):
        super().__init__(num_respondents, max_tokens)

    def get_questions(self, request_state: RequestState) -> list[CritiqueQuestionTemplate]:
        media = get_input(request_state)[1] if self.shows_media else None
        return [free_response(self.question_name, media=media)]

    def get_fields(self, request_state: RequestState) -> dict[str, str]:
        return {name: _TEXTS[what](request_state) for name, what in self.fields.items()}

    def rate(self, question: CritiqueQuestionTemplate, answer: Answer) -> float | None:
        match = self.rating.search(answer) if isinstance(answer, str) else None
        return int(match.group(1)) if match else None
