"""`AnswerMetric`, the base of metrics that score the first completion of one instance."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.display_data import get_display_data
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


class StateMetric(Metric):
    """Scores a request and its result, and needs nothing else: neither the adapter nor services."""

    metadata: ClassVar[Sequence[MetricMetadata]] = ()
    """How tables show stats that `display_data.yaml` does not describe."""

    described_stats: ClassVar[Sequence[str]] = ()
    """The names of the stats that `display_data.yaml` describes."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        return to_stats(self.score_state(request_state))

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Names and values of the stats."""
        raise NotImplementedError

    def get_metadata(self) -> list[MetricMetadata]:
        return [*self.metadata, *get_display_data(self.described_stats)]


class AnswerMetric(StateMetric):
    """Scores the first completion against what the instance says about the right answer.

    A result without completions gets no score, and so does an instance whose right answer is missing or unreadable:
    neither says anything about the model.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        answer = first_completion_text(request_state)
        return [] if answer is None else self.score_answer(answer, request_state.instance)

    @abstractmethod
    def score_answer(self, answer: str, instance: Instance) -> NamedValues:
        """Return names and values of the stats; empty if the answer cannot be judged."""
