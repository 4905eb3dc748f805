"""Accuracy of lettered answers at the end of a chain of thought, for GPQA and MMLU-Pro."""

import re

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.request import RequestResult

_PATTERNS = [
    re.compile(r"answer is \(?([A-J])\)?"),
    # HELM: the brackets are escaped, so only the literal text `[aA]nswer:` is found.
    re.compile(r"\.*\[aA\]nswer:\s*\(?([A-J])\)?"),
    re.compile(r"correct answer is [^A-Za-z]*([A-J])"),
    re.compile(r"correct answer is [^A-Z]*([A-J])"),
]


def extract_answer(output_text: str) -> str | None:
    """Return the letter, A to J, after `answer is` and the like, or None."""
    for pattern in _PATTERNS:
        match = pattern.search(output_text)
        if match:
            return match.group(1)
    return None


class GPQAChainOfThoughtMetric(StateMetric):
    """Measures whether the letter extracted from the first completion is that of the first correct reference.

    Emits `chain_of_thought_correctness`, 0 or 1; 0 also if no answer is found.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: ValueError if no reference is correct, or there is no completion."""
        instance, result = request_state.instance, request_state.result
        if not isinstance(result, RequestResult) or not result.completions:
            raise ValueError(f"No completion for instance ID {instance.id}")
        correct = next((i for i, reference in enumerate(instance.references) if reference.is_correct), None)
        if correct is None:
            raise ValueError(f"No correct answer found for instance ID {instance.id}")
        answer = extract_answer(result.completions[0].text)
        return [("chain_of_thought_correctness", int(answer == chr(ord("A") + correct)))]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["chain_of_thought_correctness"])
