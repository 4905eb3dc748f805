"""`AnswerMetric`, the base of metrics that score the first completion of one instance."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.trial_stats import NamedValues, to_stats
from helm.benchmark.scenarios.scenario import Instance


def first_completion_text(request_state: RequestState) -> str | None:
    """Return the text of the first completion, or None if the result has none."""
    completions = request_state.result.completions if request_state.result else []  # type: ignore[union-attr]
    return completions[0].text if completions else None


def first_correct_text(instance: Instance) -> str | None:
    """Return the text of the first correct reference, or None without one."""
    reference = instance.first_correct_reference
    return reference.output.text if reference else None


class AnswerMetric(Metric):
    """Scores the first completion against the instance's correct answer.

    A result without completions gets no score, and neither does an instance whose correct answer is missing or
    unreadable, because that says nothing about the model.
    """

    metadata: ClassVar[Sequence[MetricMetadata]] = ()
    """Metadata for displaying the stats."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        answer = first_completion_text(request_state)
        return [] if answer is None else to_stats(self.score_answer(answer, request_state.instance))

    @abstractmethod
    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        """Return names and values of the stats; empty if the answer cannot be judged."""

    def get_metadata(self) -> list[MetricMetadata]:
        return list(self.metadata)
