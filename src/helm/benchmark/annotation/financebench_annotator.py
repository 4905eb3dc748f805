"""The judge of FinanceBench."""

import json
import re
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import WordedJudgeAnnotator
from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.model_as_judge import (
    BLOCKED_OR_EMPTY,
    AnnotatorResponseParseFailure,
    get_only_completion_text,
)

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient

LABELS = ("correct_answer", "incorrect_answer", "failure_to_answer")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class FinanceBenchAnnotator(WordedJudgeAnnotator):
    """Labels an answer `correct_answer`, `incorrect_answer` or `failure_to_answer`.

    The annotation is the judge's JSON object, with `label` and `reasoning`. An empty completion is a failure to answer,
    and is not sent to the judge.
    """

    name = "financebench"

    max_tokens = 64

    def __init__(
        self,
        auto_client: "AutoClient",
        file_storage_path: str | None = None,
        annotator_models: AnnotatorModels | None = None,
        prompts: str | None = None,
    ):
        super().__init__(auto_client, annotator_models, prompts)

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: UnjudgedError; ValueError without exactly one completion or without a reference."""
        if not get_only_completion_text(request_state).strip():
            return {"reasoning": BLOCKED_OR_EMPTY, "label": "failure_to_answer"}
        prompt = self._make_prompt(request_state)
        return self._judge_prompt(prompt, _parse, {}, {"reasoning": None, "label": None})


def _parse(text: str) -> dict[str, Any]:
    match = _OBJECT.search(text)
    try:
        answer = json.loads(match.group(0)) if match else None
    except (ValueError, RecursionError) as e:
        raise AnnotatorResponseParseFailure(response_text=text) from e
    if not isinstance(answer, dict) or answer.get("label") not in LABELS:
        raise AnnotatorResponseParseFailure(response_text=text)
    return answer
