"""The judge of ALRAGE."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.annotation.judge_annotator import SoleJudgeAnnotator, make_prompt
from helm.benchmark.annotation.judge_models import GPT_4O_NOVEMBER
from helm.benchmark.annotation.model_as_judge import AnnotatorResponseParseFailure


class ALRAGEAnnotator(SoleJudgeAnnotator):
    """Judges how far an Arabic answer agrees with the reference, from 0 to 1.

    The annotation is `{"prompt", "response", "score"}`: the first number in the reply, cut to 10, divided by 10. HELM
    scores a reply without a number 0; here it is None, not judged. The wording of the prompt is this package's own, so
    scores are not comparable with the original's.
    """

    name = "alrage"

    default_judges = {"gpt": GPT_4O_NOVEMBER}

    has_own_wording = True

    max_tokens = 2000

    def annotate(self, request_state: RequestState) -> dict[str, Any]:
        """Judge a request. Raises: UnjudgedError; ValueError without a completion or a reference."""
        prompt = make_prompt(self.name, request_state)
        return self._judge_prompt(prompt, _parse, {"prompt": prompt}, {"response": None, "score": None})


def _parse(text: str) -> dict[str, Any]:
    for word in text.split():
        if word.replace(".", "", 1).isdecimal():
            return {"response": text, "score": min(float(word) / 10, 1.0)}
    raise AnnotatorResponseParseFailure(response_text=text)
