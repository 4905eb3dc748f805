"""Critique of answers about pictures by Prometheus-Vision."""

import re

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.critique_metric import get_input, get_reference_text, get_response_text
from helm.benchmark.metrics.rubric_critique_metric import RubricCritiqueMetric

_CRITERION = "Is the answer to the question about the picture right and complete?"
_DESCRIPTIONS = [
    "The answer is wrong or has nothing to do with the picture.",
    "The answer has something right in it, but its main point is wrong or missing.",
    "The answer is half right, or right but with important parts missing.",
    "The answer is right but for a detail.",
    "The answer is right and complete.",
]


class PrometheusVisionCritiqueMetric(RubricCritiqueMetric):
    """Emits `prometheus_vision`, from 1 to 5: the first such digit of the reply, or of what follows `ASSISTANT:` in it."""

    template_name = "vhelm_prometheus_vision"

    question_name = METRIC_NAME = "prometheus_vision"

    shows_media = True

    helm_constant = "PrometheusVisionCritiqueMetric.METRIC_PROMPT"

    # HELM: a digit of the feedback counts before that of `[RESULT]`.
    rating = re.compile(r"\A(?:.*?ASSISTANT:|(?!.*ASSISTANT:)).*?([1-5])", re.DOTALL)

    instructions = """Write feedback on an answer about the picture, by the score rubric alone, then the score.

Instruction:
{{orig_instruction}}

Answer:
{{orig_response}}

Reference answer (score 5):
{{orig_reference_answer}}

Score rubric: {{orig_criteria}}
1: {{orig_score1_description}}
2: {{orig_score2_description}}
3: {{orig_score3_description}}
4: {{orig_score4_description}}
5: {{orig_score5_description}}

Reply in this form: Feedback: (your feedback) [RESULT] (a whole number from 1 to 5)"""

    def get_fields(self, request_state: RequestState) -> dict[str, str]:
        return {
            "orig_instruction": get_input(request_state)[0],
            "orig_response": get_response_text(request_state),
            "orig_reference_answer": get_reference_text(request_state),
            "orig_criteria": _CRITERION,
            **{f"orig_score{i}_description": text for i, text in enumerate(_DESCRIPTIONS, 1)},
        }
