"""Critique of the originality of texts about pictures."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.critique_metric import (
    Answer,
    PooledCritiqueMetric,
    get_input,
    get_response_text,
    rate_option,
    scale,
)
from helm.common.critique_request import CritiqueQuestionTemplate

# HELM: answers are told apart by the words of the options, so these are HELM's.
_QUESTION = "How original is the text, given it was created with the image?"
_OPTIONS = [
    "I\u2019ve seen something like this before to the point it\u2019s become tiresome.",
    "The text is not really original, but it has some originality to it.",
    "Neutral.",
    "I find the text to be fresh and original.",
    "I find the text to be extremely creative and out of this world.",
]


class GPT4VCritiqueMetric(PooledCritiqueMetric):
    """Emits `originality_gpt4v`, from 1 to 5."""

    template_name = "vhelm_gpt4v_originality"

    ORIGINALITY_NAME = "originality_gpt4v"

    instructions = "Read what was written about the picture, and answer the question.\n\nText:\n{{prompt}}"

    def __init__(self, num_respondents: int, critic: str | None = None):
        super().__init__(num_respondents, critic=critic)

    def get_questions(self, request_state: RequestState) -> list[CritiqueQuestionTemplate]:
        media = get_input(request_state)[1]
        return [scale(self.ORIGINALITY_NAME, _QUESTION, _OPTIONS, media)]

    def get_fields(self, request_state: RequestState) -> dict[str, str]:
        return {"prompt": get_response_text(request_state)}

    def rate(self, question: CritiqueQuestionTemplate, answer: Answer) -> float | None:
        return rate_option(question, answer)
