"""Critique of answers about pictures, for Vibe-Eval."""

from typing import Dict

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.critique_metric import get_input, get_reference_text, get_response_text
from helm.benchmark.metrics.rubric_critique_metric import RubricCritiqueMetric


class RekaVibeCritiqueMetric(RubricCritiqueMetric):
    """Emits `reka_vibe`, from 1 to 5: how good an answer is, given a reference."""

    template_name = "vhelm_vibe_eval"

    question_name = "reka_vibe"

    shows_media = True

    instructions = """Rate an answer to a question about the picture: 5 is fully right and helpful, 1 is wrong or useless.

Question:
{{prompt}}

Answer:
{{generation}}

Reference:
{{reference}}

Explain your rating in a sentence or two. End with a line of this form:
Rating: N"""

    def get_fields(self, request_state: RequestState) -> Dict[str, str]:
        return {
            "prompt": get_input(request_state)[0],
            "generation": get_response_text(request_state),
            "reference": get_reference_text(request_state),
        }
