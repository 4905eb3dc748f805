"""The judge of Arabic articles written from facts."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.annotator import UnjudgedError
from helm.benchmark.annotation.judge_annotator import NO_SCORE, SoleJudgeAnnotator, make_prompt
from helm.benchmark.annotation.judge_models import GPT_5_4
from helm.benchmark.annotation.model_as_judge import AnnotatorResponseParseFailure, parse_score_with_reasoning

_CRITERIA = ("faithfulness", "completeness", "style")


class ArabicContentGenerationAnnotator(SoleJudgeAnnotator):
    """Rates an article from 1 to 5 by three criteria, each in a separate request.

    The annotation is `{criterion: {"reasoning", "score"}}`, the score a whole number. The wording of the prompts is this
    package's own, so scores are not comparable with the original's.
    """

    name = "arabic_content_generation"

    default_judges = {"gpt": GPT_5_4}

    has_own_wording = True

    max_tokens = 100

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: UnjudgedError if a criterion could not be rated; ValueError without a completion."""
        annotation: dict[str, Any] = {}
        failure = None
        for criterion in _CRITERIA:
            prompt = make_prompt(f"{self.name}_{criterion}", request_state)
            try:
                annotation[criterion] = self._judge_prompt(prompt, _parse, {}, NO_SCORE)
            except UnjudgedError as e:
                annotation[criterion] = e.annotation
                failure = e
        if failure:
            raise UnjudgedError(str(failure), annotation) from failure
        return annotation


def _parse(text: str) -> dict[str, Any]:
    answer = parse_score_with_reasoning(text)
    if not answer["score"].is_integer():
        raise AnnotatorResponseParseFailure(response_text=text)
    return {**answer, "score": int(answer["score"])}
