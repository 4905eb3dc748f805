"""Accuracy of free-form answers, as counted by CLEVA."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.metric import MetricMetadata, get_completions
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat


class CLEVATopKAccuracyMetric(EvaluateInstancesMetric):
    """Emits `cleva_top{k}_accuracy`, the fraction of instances whose answer contains part of a correct reference.

    HELM: any substring of the reference counts, so one common character is enough.

    Args:
        k: number of completions to consider, the most likely first.
        cut_off: number of characters of each completion to consider.
    """

    def __init__(self, k: int, cut_off: int):
        self.k = k
        self.cut_off = cut_off

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        accuracy = Stat(MetricName(self._get_name()))
        num_correct = 0
        for state in request_states:
            references = [reference.output.text for reference in state.instance.all_correct_references]
            best = sorted(get_completions(state), key=lambda completion: completion.logprob, reverse=True)
            num_correct += self.correct_or_not([completion.text for completion in best], references)
        return [accuracy.add(num_correct / len(request_states) if request_states else None)]

    def correct_or_not(self, completions: list[str], references: list[str]) -> bool:
        """Whether one of the first completions contains a character of a reference."""
        characters = set("".join(references))
        return any(characters & set(completion[: self.cut_off]) for completion in completions[: self.k])

    def _get_name(self) -> str:
        return f"cleva_top{self.k}_accuracy"

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            MetricMetadata(
                name=self._get_name(),
                display_name=f"Chinese Top-{self.k} Accuracy",
                short_display_name=f"Acc@Top-{self.k} (Chinese)",
                description=f"Share of instances with something of a correct answer among {self.k} completions.",
                lower_is_better=False,
                group="cleva_conceptual_generalization_metrics",
            )
        ]
