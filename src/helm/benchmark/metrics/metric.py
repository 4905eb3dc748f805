"""The interface of metrics, and `Metric`, the base of those that score one generation at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from helm.benchmark.adaptation.adapter_spec import ADAPT_LANGUAGE_MODELING, AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat, merge_stat
from helm.benchmark.metrics.trial_stats import TrialStats
from helm.benchmark.metrics.worst_case import compute_worst_case_metrics
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.specs import MetricSpec
from helm.common.concurrency import parallel_map
from helm.common.errors import HelmError, MetricError, with_instance_id
from helm.common.object_spec import create_object
from helm.common.request import GeneratedOutput, Request, RequestResult

__all__ = [
    "Metric",
    "MetricInterface",
    "MetricMetadata",
    "MetricName",
    "MetricResult",
    "MetricSpec",
    "PerInstanceStats",
    "Processor",
    "RequestStateSet",
    "Stat",
    "add_context",
    "compute_worst_case_metrics",
    "create_metric",
    "get_all_stats_by_name",
    "get_completions",
    "get_unique_stat_by_name",
    "merge_stat",
]

T = TypeVar("T")


class WrongAdapterError(MetricError, AssertionError):
    """A metric was used with an adaptation method that it cannot score. HELM raises AssertionError."""


class RequestCountError(MetricError, ValueError):
    """An instance does not have exactly one request, which a metric needs. HELM raises ValueError."""


@dataclass
class MetricResult:
    """The result of a metric for a whole run."""

    aggregated_stats: list[Stat]

    per_instance_stats: list[PerInstanceStats]


@dataclass(frozen=True)
class MetricMetadata:
    """How a metric is shown in tables."""

    name: str
    """A name with `*` describes all metrics that match, for names that only a run determines (`*_time_s`)."""
    display_name: str | None = None
    short_display_name: str | None = None
    description: str | None = None
    lower_is_better: bool | None = None
    group: str | None = None
    unit: str | None = None
    """Unit of the values: `s` (seconds, shown with a suitable prefix: `53.4 µs`), `bytes`, or any other word."""


class MetricInterface(ABC):
    """Computes statistics from the results of a run."""

    request_type: type = Request
    """The class of requests it accepts; `object` for a metric that ignores them."""

    sees_all_epochs: bool = False
    """Whether it computes one result of all epochs of a run itself, instead of one for each epoch."""

    @abstractmethod
    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        """Compute the result of a run. `eval_cache_path` is an existing folder for intermediate files."""

    def get_metadata(self) -> list[MetricMetadata]:
        raise NotImplementedError(f"{type(self).__name__} gives no metadata")


@dataclass(frozen=True)
class RequestStateSet:
    """All requests about one instance in one trial."""

    instance: Instance

    generation_states: list[RequestState]
    """The requests without a reference index."""

    references_states: list[RequestState]
    """The requests about a reference, in the order of the references."""


@dataclass(frozen=True)
class Processor:
    """Scores one `RequestStateSet` with one metric; the stats carry the context of the instance."""

    metric: "Metric"

    metric_service: MetricService

    eval_cache_path: str

    adapter_spec: AdapterSpec

    def process(self, request_state_set: RequestStateSet) -> list[Stat]:
        """Return stats of the instance. Raises: RequestCountError if there are several generations."""
        metric, instance = self.metric, request_state_set.instance
        states = metric._select_request_states(request_state_set.generation_states, request_state_set.references_states)
        return metric._add_scores(TrialStats(), instance, metric._score(self, instance, states)) if states else []


class Metric(MetricInterface, ABC):
    """Scores every generation separately.

    The instances' stats are merged within a trial, derived and worst-case stats are added, and each trial then counts
    as one value, its mean. So in the aggregated stats `count` is the number of trials, and the extremes and the
    variance are those between trials.
    """

    waits_on_io: bool = False
    """Whether scoring mostly waits for something else (a service, a child process), so that threads help."""

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        adapter_spec = scenario_state.adapter_spec
        if adapter_spec.method == ADAPT_LANGUAGE_MODELING:
            raise WrongAdapterError(
                f"Metric {type(self).__name__} scores one generation per instance and no longer knows how to handle "
                "the language modeling adapter. Use LanguageModelingMetric."
            )
        processor = Processor(self, metric_service, eval_cache_path, adapter_spec)
        totals: dict[MetricName, Stat] = {}
        per_instance_stats: list[PerInstanceStats] = []
        for trial in range(adapter_spec.num_train_trials):
            self._evaluate_trial(processor, scenario_state, trial, parallelism, totals, per_instance_stats)
        return MetricResult(list(totals.values()), per_instance_stats)

    def _evaluate_trial(
        self,
        processor: Processor,
        scenario_state: ScenarioState,
        trial: int,
        parallelism: int,
        totals: dict[MetricName, Stat],
        per_instance_stats: list[PerInstanceStats],
    ) -> None:
        """Add the results of one trial to `totals` and `per_instance_stats`."""
        trial_stats = TrialStats()
        scored = self._iterate_scores(processor, scenario_state, trial, parallelism)
        for instance, stats in self._add_all_scores(trial_stats, scored):
            if stats:
                per_instance_stats.append(PerInstanceStats(instance.id or "", instance.perturbation, trial, stats))
        merged = trial_stats.merge()
        worst_case_stats = trial_stats.compute_worst_case_stats(merged)
        self._derive(merged, trial_stats)
        for stat in worst_case_stats:
            merge_stat(merged, stat)
        for stat in merged.values():
            merge_stat(totals, stat.take_mean())

    def _iterate_scores(
        self, processor: Processor, scenario_state: ScenarioState, trial: int, parallelism: int
    ) -> Iterator[tuple[Instance, Any]]:
        """Yield every instance that has requests in this trial, with its scores."""
        work = []
        for instance in scenario_state.instances:
            states = self._get_request_states(scenario_state, trial, instance)
            if states:
                work.append((instance, states))
        if self.waits_on_io and parallelism > 1:
            results = parallel_map(lambda item: self._score(processor, *item), work, parallelism, description="metric")
            yield from ((instance, result) for (instance, _), result in zip(work, results, strict=True))
        else:
            for instance, states in work:
                yield instance, self._score(processor, instance, states)

    # Extension points for `ReferenceMetric` and fast metrics of this package:

    def _get_request_states(self, scenario_state: ScenarioState, trial: int, instance: Instance) -> list[RequestState]:
        return scenario_state.get_request_states(trial, instance, None)

    def _select_request_states(
        self, generation_states: list[RequestState], references_states: list[RequestState]
    ) -> list[RequestState]:
        return generation_states

    def _score(self, processor: Processor, instance: Instance, states: list[RequestState]) -> Any:
        """Return stats without context."""
        adapter_spec, service = processor.adapter_spec, processor.metric_service
        state = self._get_only_state(instance, states)
        return call_for_instance(
            self, instance, self.evaluate_generation, adapter_spec, state, service, processor.eval_cache_path
        )

    def _get_only_state(self, instance: Instance, states: list[RequestState]) -> RequestState:
        if len(states) != 1:
            error = RequestCountError(
                f"Metric {type(self).__name__}, instance {instance.id}, trial {states[0].train_trial_index}: "
                f"Expected 1 item, got {len(states)} items: {[state.request for state in states]}"
            )
            raise with_instance_id(error, instance.id)
        return states[0]

    def _add_scores(self, trial_stats: TrialStats, instance: Instance, scores: Any) -> list[Stat]:
        return trial_stats.add(instance, scores)

    def _add_all_scores(
        self, trial_stats: TrialStats, scored: Iterable[tuple[Instance, Any]]
    ) -> Iterable[tuple[Instance, list[Stat]]]:
        """Yield each instance with what `_add_scores` returns."""
        return ((instance, self._add_scores(trial_stats, instance, scores)) for instance, scores in scored)

    def _derive(self, merged: dict[MetricName, Stat], trial_stats: TrialStats) -> None:
        """Add the derived stats of every context to `merged`."""
        by_context: dict[MetricContext, dict[MetricName, Stat]] = {}
        for name, stat in merged.items():
            by_context.setdefault(MetricContext.from_metric_name(name), {})[name] = stat
        for context, stats in by_context.items():
            for stat in self.derive_stats(stats):
                merge_stat(merged, add_context(stat, context))
        for context, per_instance_stats in trial_stats.get_per_instance_stats():
            for stat in self.derive_per_instance_stats(per_instance_stats):
                merge_stat(merged, add_context(stat, context))

    @abstractmethod
    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        """Return stats of one generation, without context."""

    def derive_stats(self, stats_dict: dict[MetricName, Stat]) -> list[Stat]:
        """Return further stats computed from the merged ones of one context, for ratios of totals."""
        return []

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        """Return further stats computed from those of all instances of one context, for values that sums cannot express."""
        return []


def get_completions(request_state: RequestState) -> list[GeneratedOutput]:
    """Return the completions of a request to a language model; none without a result."""
    result = request_state.result
    return result.completions if isinstance(result, RequestResult) else []


def call_for_instance(metric: MetricInterface, instance: Instance, function: Callable[..., T], *args: Any) -> T:
    """Call `function(*args)`, converting an exception into a MetricError that names the metric and the instance."""
    try:
        return function(*args)
    except Exception as error:
        raise metric_error(metric, instance, error) from error


def metric_error(metric: MetricInterface, instance: Instance, error: Exception) -> HelmError:
    """Return an error that says which metric failed on which instance, and why."""
    perturbed = f" ({instance.perturbation.name})" if instance.perturbation else ""
    cause = str(error) if isinstance(error, HelmError) else f"{type(error).__name__}: {error}"
    message = f"Metric {type(metric).__name__} failed on instance {instance.id}{perturbed}: {cause}"
    return with_instance_id(MetricError(message), instance.id)


def add_context(stat: Stat, context: MetricContext) -> Stat:
    """Return the same numbers with their name in the given context."""
    name = MetricName(stat.name.name, context.split, context.sub_split, context.perturbation)
    return stat.renamed(name)


def get_all_stats_by_name(stats: Iterable[Stat], name: str) -> list[Stat]:
    """Return all stats with that name, in any context."""
    return [stat for stat in stats if stat.name.name == name]


def get_unique_stat_by_name(stats: Iterable[Stat], name: str) -> Stat | None:
    """Return the only stat with that name, or None. Raises: AssertionError if there are several."""
    matching = get_all_stats_by_name(stats, name)
    assert len(matching) <= 1, f"Expected at most one stat named {name}, got {len(matching)}: {matching}"
    return matching[0] if matching else None


def create_metric(metric_spec: MetricSpec) -> MetricInterface:
    return create_object(metric_spec)
