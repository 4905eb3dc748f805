"""The metric of IFEval."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.ifeval.checks import is_followed
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError
from helm.common.request import RequestResult


class InstructionsError(MetricError, AssertionError):
    """An instance does not state its instructions. HELM raises AssertionError."""


class IFEvalMetric(StateMetric):
    """Measures the fraction of an instance's instructions that the response follows.

    Reads `instruction_ids` and `instruction_kwargs`, two lists of equal length, from the instance's extra data. Emits
    `ifeval_strict_accuracy`, 0 to 1; a blank response follows no instruction. Needs the packages langdetect and nltk
    for the instructions about language, capital words and sentences, and NLTK's data `punkt_tab` for sentences.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: InstructionsError; what `is_followed` raises; ValueError without exactly one completion."""
        instance, result = request_state.instance, request_state.result
        if not isinstance(result, RequestResult) or len(result.completions) != 1:
            raise ValueError(f"Instance {instance.id}: IFEval needs exactly one completion")
        response = result.completions[0].text.strip()
        followed = [
            is_followed(instruction_id, arguments or {}, response, seed=f"{instance.id}:{i}")
            for i, (instruction_id, arguments) in enumerate(_get_instructions(instance))
        ]
        return [("ifeval_strict_accuracy", sum(followed) / len(followed))]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["ifeval_strict_accuracy"])


def _get_instructions(instance: Instance) -> list[tuple[str, Any]]:
    data = instance.extra_data or {}
    ids, arguments = data.get("instruction_ids") or [], data.get("instruction_kwargs") or []
    if not ids:
        raise InstructionsError(f"instance {instance.id}: extra_data has no instruction_ids")
    if len(ids) != len(arguments):
        raise InstructionsError(
            f"instance {instance.id}: {len(ids)} instruction_ids, but {len(arguments)} instruction_kwargs"
        )
    return list(zip(ids, arguments, strict=True))
