"""Metrics of single episodes."""

import os
from collections.abc import Sequence
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.common.episode_request import EpisodeRequest, EpisodeResult
from helm.common.errors import MetricError, suggest

_COSTS = (
    ("instruction_count", "IrInstructionCount", "IrInstructionCount"),
    ("object_text_size", "ObjectTextSizeBytes", "ObjectTextSize"),
)
_BASELINES = ("Oz", "O3")
DISPLAY_DATA = os.path.join(os.path.dirname(__file__), "display_data.yaml")


class EpisodeMetric(MetricInterface):
    """Measures how well a policy optimizes a program.

    For every episode it emits `episode_failed` (0 or 1), and for one that did not fail also:

    - `episode_reward`: sum of the rewards; under a reward of the kind `...Oz`, 1 means as good as the compiler's -Oz.
    - `num_actions`, `num_actions_tried`: actions in the answer, and in search and answer together.
    - `episode_elapsed_s`: wall time of search and answer, in seconds.
    - `instruction_count`, `object_text_size_bytes`: those of the final program; smaller is better. Each only if observed.
    - `instruction_count_reduction_oz`, `object_text_size_reduction_oz` (and `_o3`): the compiler's own result divided
      by this one; above 1 the policy beat the compiler. Each only if both are observed and the divisor is not 0.

    A failed episode is counted, but not scored, so read the scores together with `episode_failed`.
    """

    request_type = EpisodeRequest

    def __init__(self, observations: Sequence[str] = ()):
        """Choose the observations to report.

        Args:
            observations: further scalar observations whose final values are reported under their own names. Each must be
                among the observation spaces of the episodes.
        """
        self._observations = list(observations)

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        aggregated: dict[MetricName, Stat] = {}
        per_instance: list[PerInstanceStats] = []
        for state in scenario_state.request_states:
            instance = state.instance
            figures = get_episode_figures(state, self._observations)
            stats = [Stat(MetricName(name)).add(value) for name, value in figures.items()]
            assert instance.id is not None  # the runner numbers all instances
            per_instance.append(PerInstanceStats(instance.id, instance.perturbation, state.train_trial_index, stats))
            for stat in [Stat(MetricName("num_instances")).add(1), *stats]:
                name = MetricName(stat.name.name, instance.split, instance.sub_split, instance.perturbation)
                merge_stat(aggregated, Stat(name).merge(stat))
        return MetricResult([_as_total(stat) for stat in aggregated.values()], per_instance)

    def get_metadata(self) -> list[MetricMetadata]:
        metadata = get_display_data(
            [
                "episode_failed",
                "episode_reward",
                "num_actions",
                "num_actions_tried",
                "episode_elapsed_s",
                "instruction_count",
                "object_text_size_bytes",
            ],
            DISPLAY_DATA,
        )
        for cost, label in (("instruction_count", "IR instructions"), ("object_text_size", "object size")):
            for baseline in _BASELINES:
                metadata.append(
                    MetricMetadata(
                        f"{cost}_reduction_{baseline.lower()}",
                        f"{label} vs -{baseline}",
                        f"{label} vs -{baseline}",
                        f"{label} after -{baseline} divided by that after the policy; above 1 the policy is better",
                        False,
                    )
                )
        return metadata


def _as_total(stat: Stat) -> Stat:
    """Turn the number of instances into a single number; keep every other statistic as it is."""
    return Stat(stat.name).add(stat.sum) if stat.name.name == "num_instances" else stat


def get_episode_figures(state: RequestState, observations: Sequence[str] = ()) -> dict[str, float]:
    """Compute the values of one episode by metric name; see `EpisodeMetric`.

    Raises: MetricError when one of `observations` is missing or not a number.
    """
    result = state.result
    assert isinstance(result, EpisodeResult)  # executors fill every result
    if not result.success:
        return {"episode_failed": 1}
    figures: dict[str, float] = {
        "episode_failed": 0,
        "episode_reward": sum(result.rewards),
        "num_actions": len(result.actions),
        "num_actions_tried": result.num_actions_tried,
    }
    if result.elapsed_s is not None:
        figures["episode_elapsed_s"] = result.elapsed_s
    for name, observation, prefix in _COSTS:
        cost = result.observations.get(observation)
        if cost is None:
            continue
        figures[name if name == "instruction_count" else f"{name}_bytes"] = cost
        for baseline in _BASELINES:
            ratio = _get_ratio(result.observations.get(prefix + baseline), cost)
            if ratio is not None:
                figures[f"{name}_reduction_{baseline.lower()}"] = ratio
    for name in observations:
        value = result.observations.get(name)
        if not isinstance(value, (int, float)):
            known = ", ".join(result.observations) or "none"
            raise MetricError(
                f"instance {state.instance.id}: EpisodeMetric is to report '{name}', which the episode did not "
                f"observe as a number. Observed: {known}.{suggest(name, result.observations)}"
            )
        figures[name] = value
    return figures


def _get_ratio(baseline: Any | None, cost: Any) -> float | None:
    return None if baseline is None or cost == 0 else baseline / cost
