"""The judge of LiveQA."""

from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import NO_SCORE, WordedJudgeAnnotator
from helm.benchmark.annotation.judge_models import AnnotatorModels
from helm.benchmark.annotation.judge_prompts import fill_in, read_prompt
from helm.benchmark.annotation.model_as_judge import (
    BLOCKED_OR_EMPTY,
    get_only_completion_text,
    parse_score_with_reasoning,
)

if TYPE_CHECKING:
    from helm.clients.auto_client import AutoClient


class LiveQAAnnotator(WordedJudgeAnnotator):
    """Judges how well a consumer's health question is answered, from 0 to 1, given answers from trusted sources.

    The annotation is `{"prompt_text", "reasoning", "score"}`; an empty completion scores 0.
    """

    name = "live_qa"

    max_tokens = 256

    def __init__(
        self,
        auto_client: "AutoClient",
        file_storage_path: str | None = None,
        annotator_models: AnnotatorModels | None = None,
        prompts: str | None = None,
    ):
        super().__init__(auto_client, annotator_models, prompts)

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: UnjudgedError; ValueError without exactly one completion."""
        if not get_only_completion_text(request_state).strip():
            return {"prompt_text": "", "reasoning": BLOCKED_OR_EMPTY, "score": 0.0}
        prompt = self._make_prompt(request_state)
        return self._judge_prompt(prompt, parse_score_with_reasoning, {"prompt_text": prompt}, NO_SCORE)

    def _make_own_prompt(self, request_state: RequestState) -> str:
        references = [reference.output.text for reference in request_state.instance.references]
        values = {
            "{{QUESTION}}": request_state.instance.input.text,
            "{{REFERENCES}}": "\n\n".join(f"{i}. {text}" for i, text in enumerate(references, 1)) or "(none)",
            "{{ANSWER}}": get_only_completion_text(request_state),
        }
        return fill_in(read_prompt(self.name), values)
