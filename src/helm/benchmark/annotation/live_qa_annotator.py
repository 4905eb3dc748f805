"""The judge of LiveQA."""

from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import NO_SCORE, SoleJudgeAnnotator
from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.judge_prompts import fill_in, read_prompt
from helm.benchmark.annotation.model_as_judge import (
    BLOCKED_OR_EMPTY,
    get_only_completion_text,
    parse_score_with_reasoning,
)

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient


class LiveQAAnnotator(SoleJudgeAnnotator):
    """Judges how well a consumer's health question is answered, from 0 to 1, given answers from trusted sources.

    The annotation is `{"prompt_text", "reasoning", "score"}`; an empty completion scores 0. The wording of the prompt
    is this package's own, so scores are not comparable with HELM's.
    """

    name = "live_qa"

    max_tokens = 256

    def __init__(
        self,
        auto_client: "AutoClient",
        file_storage_path: str | None = None,
        annotator_models: AnnotatorModels | None = None,
    ):
        super().__init__(auto_client, annotator_models)

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: UnjudgedError; ValueError without exactly one completion."""
        answer = get_only_completion_text(request_state)
        if not answer.strip():
            return {"prompt_text": "", "reasoning": BLOCKED_OR_EMPTY, "score": 0.0}
        references = [reference.output.text for reference in request_state.instance.references]
        values = {
            "{{QUESTION}}": request_state.instance.input.text,
            "{{REFERENCES}}": "\n\n".join(f"{i}. {text}" for i, text in enumerate(references, 1)) or "(none)",
            "{{ANSWER}}": answer,
        }
        prompt = fill_in(read_prompt("live_qa"), values)
        return self._judge_prompt(prompt, parse_score_with_reasoning, {"prompt_text": prompt}, NO_SCORE)
