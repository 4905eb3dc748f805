"""Metrics over a set of programs: means, geometric means with intervals, and shares of failures by kind."""

import math
from collections.abc import Sequence

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricMetadata, MetricResult, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.common.episode_request import STATUS_CRASHED, STATUS_INVALID, STATUS_NO_ANSWER, STATUS_TIMEOUT, EpisodeResult
from helm.compiler_gym.checks.program_check import INVALID, VALID
from helm.compiler_gym.envs.statistics import geometric_mean
from helm.compiler_gym.metrics import DISPLAY_DATA, EpisodeMetric, get_episode_figures

_BASELINES = ("O3", "Oz")
_COMPARED = ("instruction_count", "object_text_size", "obj_size", "asm_size")
"""Costs whose reductions are averaged."""
_SIZES = ("obj_size", "asm_size")
"""Costs that are compared with the episodes of the request's baselines."""

_OUTCOMES = {
    "episode_crashed": STATUS_CRASHED,
    "episode_timed_out": STATUS_TIMEOUT,
    "episode_invalid": STATUS_INVALID,
    "episode_no_answer": STATUS_NO_ANSWER,
}

_RESAMPLES = 2000
_CONFIDENCE = 0.95
_MAX_DRAWN = 1 << 20  # numbers drawn at once, eight megabytes


class CompilerMetric(EpisodeMetric):
    """Measures how well a policy optimizes a set of programs.

    For each episode it emits the stats of `EpisodeMetric`, and

    - `validated`: 1 when the optimised program was run and worked correctly, else 0; so the mean is the share of
      programs with an answer that is known to be right. `not_checked`: 1 when an answer could not be run.
    - `episode_crashed`, `episode_timed_out`, `episode_invalid`, `episode_no_answer`: the kinds of `episode_failed`.
    - `compile_time_s`: seconds for search and answer, without the checks.
    - `obj_size_reduction_oz` (also `_o3`, and for `asm_size`): as for LLVM's costs, for compilers with baselines.
    - `budget_used_up`: 1 when the budget ended the search; only for episodes with a budget.
    - `num_rounds`, `num_unusable_replies`: only for language models.

    Over all episodes that did not fail, it emits for each reduction R the geometric mean `R_geomean`, and with two or
    more programs `R_geomean_low` and `R_geomean_high`, its 95% interval from the percentiles of 2,000 bootstrap samples of
    the programs (seed 0). `program_reduction_oz` and `_o3` are the reductions of the compiler's main cost for each
    program, with its name as the sub-split.

    A failed episode is counted, but not scored, so read the scores together with `episode_failed`.
    """

    def __init__(self, observations: Sequence[str] = (), validates: bool = True):
        """Choose what is reported.

        Args:
            observations: see `EpisodeMetric`.
            validates: whether the run checks the behaviour of optimised programs.
        """
        super().__init__(observations)
        self._validates = validates

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        aggregated: dict[MetricName, Stat] = {}
        per_instance: list[PerInstanceStats] = []
        ratios: dict[tuple[str, str | None], list[float]] = {}
        counts: dict[str | None, int] = {}
        for state in scenario_state.request_states:
            instance = state.instance
            assert instance.id is not None  # the runner numbers all instances
            figures = get_compiler_figures(state, self._observations, self._validates)
            stats = [Stat(MetricName(name)).add(value) for name, value in figures.items()]
            per_instance.append(PerInstanceStats(instance.id, instance.perturbation, state.train_trial_index, stats))
            counts[instance.split] = counts.get(instance.split, 0) + 1
            for figure, value in figures.items():
                merge_stat(aggregated, Stat(MetricName(figure, instance.split)).add(value))
                if "_reduction_" in figure and value > 0:
                    ratios.setdefault((figure, instance.split), []).append(value)
            for baseline in ("oz", "o3"):
                main = next(
                    (figures[n] for cost in _COMPARED if (n := f"{cost}_reduction_{baseline}") in figures), None
                )
                if instance.sub_split is not None and main is not None:
                    name = MetricName(f"program_reduction_{baseline}", instance.split, instance.sub_split)
                    merge_stat(aggregated, Stat(name).add(main))
        totals = [Stat(MetricName("num_instances", split)).add(count) for split, count in counts.items()]
        means = [stat for (name, split), values in ratios.items() for stat in _make_geomean_stats(name, split, values)]
        return MetricResult([*totals, *aggregated.values(), *means], per_instance)

    def get_metadata(self) -> list[MetricMetadata]:
        further = get_display_data(
            ["validated", "not_checked", "compile_time_s", "episode_crashed", "episode_timed_out", "episode_invalid"],
            DISPLAY_DATA,
        )
        for cost, label in (("instruction_count", "IR instructions"), ("object_text_size", "object size")):
            for baseline in _BASELINES:
                title = f"{label} vs -{baseline} (geometric mean)"
                name = f"{cost}_reduction_{baseline.lower()}_geomean"
                description = f"Geometric mean over programs of {label} after -{baseline} by that after the policy"
                further.append(MetricMetadata(name, title, title, description, False))
        return [*super().get_metadata(), *further]


def get_compiler_figures(
    state: RequestState, observations: Sequence[str] = (), validates: bool = True
) -> dict[str, float]:
    """Compute the values of one episode by metric name; see `CompilerMetric`.

    Raises: MetricError when one of `observations` is missing or not a number.
    """
    result = state.result
    assert isinstance(result, EpisodeResult)  # executors fill every result
    figures = get_episode_figures(state, observations)
    status = (result.validation or {}).get("status")
    if validates:
        figures["validated"] = 1 if result.success and status == VALID else 0
        figures["not_checked"] = 1 if result.success and status not in (VALID, INVALID) else 0
    for name, outcome in _OUTCOMES.items():
        figures[name] = 0 if result.success or result.status != outcome else 1
    if result.dialog is not None:
        figures["num_rounds"] = len(result.dialog)
        figures["num_unusable_replies"] = sum(1 for entry in result.dialog if entry.get("error") is not None)
    if not result.success:
        return figures
    if result.policy_s is not None:
        figures["compile_time_s"] = result.policy_s
    if result.is_budget_used_up is not None:
        figures["budget_used_up"] = 1 if result.is_budget_used_up else 0
    for cost in _SIZES:
        size = result.observations.get(cost)
        for baseline in _BASELINES:
            compared = (result.baselines or {}).get(baseline, {}).get(cost)
            if isinstance(size, (int, float)) and size > 0 and isinstance(compared, (int, float)) and compared >= 0:
                figures[f"{cost}_reduction_{baseline.lower()}"] = compared / size
    return figures


def _make_geomean_stats(name: str, split: str | None, values: Sequence[float]) -> list[Stat]:
    stats = [Stat(MetricName(f"{name}_geomean", split)).add(geometric_mean(values))]
    interval = bootstrap_geomean(values)
    if interval is not None:
        for end, value in zip(("low", "high"), interval, strict=True):
            stats.append(Stat(MetricName(f"{name}_geomean_{end}", split)).add(value))
    return stats


def bootstrap_geomean(values: Sequence[float], confidence: float = _CONFIDENCE) -> tuple[float, float] | None:
    """Compute an interval for the geometric mean of positive numbers, by the percentile bootstrap with a fixed seed.

    Returns None for fewer than two values.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13.
    """
    if len(values) < 2:
        return None
    import numpy as np

    logs = np.log(np.asarray(values, dtype=float))
    rng = np.random.RandomState(0)
    # In blocks: an array of 2,000 resamples of many programs could take gigabytes.
    block = max(1, _MAX_DRAWN // len(logs))
    means: list[float] = []
    while len(means) < _RESAMPLES:
        count = min(block, _RESAMPLES - len(means))
        means += logs[rng.randint(0, len(logs), (count, len(logs)))].mean(axis=1).tolist()
    low, high = np.percentile(means, [50 * (1 - confidence), 50 * (1 + confidence)])
    return math.exp(low), math.exp(high)
