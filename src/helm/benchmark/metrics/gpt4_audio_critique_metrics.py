"""Critique of answers about sound."""

from typing import Dict

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.critique_metric import get_reference_text, get_response_text
from helm.benchmark.metrics.rubric_critique_metric import RubricCritiqueMetric


class GPT4AudioCritiqueMetric(RubricCritiqueMetric):
    """Emits `gpt4_audio_critique`, from 1 to 5: how far an answer agrees with the reference."""

    template_name = "ahelm_gpt4_audio_critique"

    question_name = "gpt4_audio_critique"

    instructions = """A model answered a question about a recording. Rate how far its answer agrees with the reference:
5: it says the same; 4: the same but for a detail; 3: about half of it; 2: little of it; 1: nothing of it, or the opposite.

Reference:
{{ground_truth}}

Answer:
{{orig_response}}

Explain your rating in a sentence or two. End with a line of this form:
Rating: N"""

    def get_fields(self, request_state: RequestState) -> Dict[str, str]:
        return {"ground_truth": get_reference_text(request_state), "orig_response": get_response_text(request_state)}
