"""Metrics of agents: of single episodes, and of a run with all its epochs."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm.agents.attacks import ATTACK_SUCCESS, UTILITY
from helm.benchmark.adaptation.request_state import RequestState, StateFile
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import read_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat, pass_all
from helm.common.agent_request import AGENT_ROLE, BRIDGE_ROLE, REFUSED, AgentRequest, AgentResult
from helm.common.spooled_values import SpooledList

DISPLAY_DATA = os.path.join(os.path.dirname(__file__), "display_data.yaml")

_TOLERANCE = 1e-6

_MOST_KNOWN = 1000
"""Stats that are shared. Those that many episodes have come early; measured times fill the memory."""


class AgentMetric(MetricInterface):
    """Measures single episodes.

    For each episode that can be scored it emits

    - `agent_reward`: the check's number; `agent_success`: 1 if it is at least `success_at`, else 0; `agent_reward_NAME`:
      further numbers of the check.
    - `agent_turns`, `agent_tool_calls`, `agent_tool_errors`, `agent_user_turns`; `agent_valid_tool_calls`: the share of calls
      of a tool that exists with arguments that it takes.
    - `agent_tokens` of the agent's prompts and completions, and `agent_cost_usd`, if the price is known.
    - `agent_seconds`, and `agent_working_seconds` without waiting for limiters and retries.
    - `agent_utility_under_attack` and `agent_attack_success`, of a request with an attack: whether the task was done, and whether
      the attack reached its goal.
    - `agent_limit_hit` and `agent_limit_hit_NAME`, `agent_refused`, and `agent_resumed_divergent` for resumed episodes: 0 or 1.

    An episode in which something other than the agent failed has none of them.

    Args:
        success_at: the reward of a success.
    """

    request_type = AgentRequest

    def __init__(self, success_at: float = 1.0):
        self._success_at = success_at

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        aggregated: dict[MetricName, Stat] = {}
        counts: dict[str | None, int] = {}
        states: Sequence[RequestState] = scenario_state.request_states
        build = _StatsBuilder()
        per_instance: Any = SpooledList(eval_cache_path, build) if isinstance(states, StateFile) else []
        for state in states:
            instance = state.instance
            assert instance.id is not None  # the runner numbers all instances
            figures = get_agent_figures(state, self._success_at)
            if not figures:
                continue
            row = (instance.id, instance.perturbation, state.train_trial_index, figures)
            per_instance.append(build(row) if isinstance(per_instance, list) else row)
            counts[instance.split] = counts.get(instance.split, 0) + 1
            for name, value in figures.items():
                for sub_split in dict.fromkeys((None, instance.sub_split)):
                    merge_stat(aggregated, Stat(MetricName(name, instance.split, sub_split)).add(value))
        totals = [Stat(MetricName("num_instances", split)).add(count) for split, count in counts.items()]
        return MetricResult([*totals, *aggregated.values()], per_instance)

    def get_metadata(self) -> list[MetricMetadata]:
        return list(read_display_data(DISPLAY_DATA).values())


class _StatsBuilder:
    """Makes the stats of an episode of its figures. Many episodes have the same numbers, whose stats are made once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, float], Stat] = {}

    def __call__(self, row: tuple[str, Any, int, dict[str, float]]) -> PerInstanceStats:
        instance_id, perturbation, trial, figures = row
        return PerInstanceStats(instance_id, perturbation, trial, [self._stat_of(item) for item in figures.items()])

    def _stat_of(self, item: tuple[str, float]) -> Stat:
        stat = self._known.get(item)
        if stat is None:
            stat = Stat(MetricName(item[0])).add(item[1])
            if len(self._known) < _MOST_KNOWN:
                self._known[item] = stat
        return stat


def get_agent_figures(state: RequestState, success_at: float = 1.0) -> dict[str, float]:
    """Compute the values of one episode by metric name; see `AgentMetric`. None of them if it cannot be scored."""
    result = state.result
    if not isinstance(result, AgentResult) or not result.success:
        return {}
    figures: dict[str, float] = {}
    if result.reward is not None:
        figures["agent_reward"] = result.reward
        figures["agent_success"] = float(result.reward >= success_at - _TOLERANCE)
        figures.update({f"agent_reward_{key}": value for key, value in result.rewards.items() if key != "reward"})
        if getattr(state.request, "attack", None) is not None:
            for name, key in (("agent_attack_success", ATTACK_SUCCESS), ("agent_utility_under_attack", UTILITY)):
                if key in result.rewards:
                    figures[name] = result.rewards[key]
    counts = result.counts
    figures["agent_turns"] = counts.turns
    figures["agent_tool_calls"] = counts.tool_calls
    figures["agent_tool_errors"] = counts.tool_errors
    figures["agent_user_turns"] = counts.user_turns
    if counts.tool_calls:
        figures["agent_valid_tool_calls"] = 1 - counts.invalid_tool_calls / counts.tool_calls
    usages = [usage for role in (AGENT_ROLE, BRIDGE_ROLE) if (usage := result.usage.get(role)) is not None]
    figures["agent_tokens"] = sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)
    costs = [usage.cost_usd for usage in usages]
    if None not in costs:
        figures["agent_cost_usd"] = sum(cost for cost in costs if cost is not None)
    for name, seconds in (("agent_seconds", result.elapsed_s), ("agent_working_seconds", result.working_s)):
        if seconds is not None:
            figures[name] = seconds
    figures["agent_limit_hit"] = float(result.limit is not None)
    if result.limit is not None:
        figures[f"agent_limit_hit_{result.limit.name}"] = 1.0
    figures["agent_refused"] = float(result.outcome == REFUSED)
    if result.divergence is not None:
        figures["agent_resumed_divergent"] = float(result.divergence)
    return figures


@dataclass(frozen=True, slots=True)
class EpisodeFigures:
    """What `summarize_episodes` needs of an episode; None for what is not known."""

    task: str

    reward: float | None
    """None if the episode could not be scored."""

    cost_usd: float | None = None

    tokens: float | None = None

    turns: float | None = None

    seconds: float | None = None


_PER_SUCCESS = ("cost_usd", "tokens", "turns", "seconds")


def summarize_episodes(
    episodes: Sequence[EpisodeFigures], ks: Sequence[int] = (1, 2, 4), success_at: float = 1.0
) -> dict[str, float]:
    """Return figures of all episodes of a run, by metric name; those that are not defined are left out.

    `agent_pass_at_K` is the probability that at least one of K episodes of a task succeeds, `agent_pass_hat_K` that all do,
    both without bias, as means over the tasks with at least K scored episodes; `agent_tasks_left_out_K` counts the others.
    `agent_X_per_success` is the sum over all scored episodes divided by the number of successes.

    Args:
        episodes: of all tasks and epochs.
        ks: the values of K.
        success_at: the reward of a success.
    """
    scored = [episode for episode in episodes if episode.reward is not None]
    by_task: dict[str, list[bool]] = {}
    for episode in scored:
        assert episode.reward is not None
        by_task.setdefault(episode.task, []).append(episode.reward >= success_at - _TOLERANCE)
    tasks = {episode.task for episode in episodes}
    figures: dict[str, float] = {"agent_tasks": len(tasks), "agent_not_scored": len(episodes) - len(scored)}
    for k in ks:
        enough = [found for found in by_task.values() if len(found) >= k]
        figures[f"agent_tasks_left_out_{k}"] = len(tasks) - len(enough)
        if enough:
            figures[f"agent_pass_at_{k}"] = 1 - _mean_pass_all(enough, k, False)
            figures[f"agent_pass_hat_{k}"] = _mean_pass_all(enough, k, True)
    successes = sum(sum(found) for found in by_task.values())
    for name in _PER_SUCCESS:
        values = [getattr(episode, name) for episode in scored]
        if successes and None not in values:
            figures[f"agent_{name}_per_success"] = math.fsum(values) / successes
    return figures


def _mean_pass_all(tasks: Sequence[Sequence[bool]], k: int, outcome: bool) -> float:
    """Return the mean over tasks of the probability that k of its episodes all have an outcome."""
    return math.fsum(pass_all(len(found), found.count(outcome), k) for found in tasks) / len(tasks)


class AgentRunMetric(MetricInterface):
    """Measures a run with all its epochs: pass@k, pass^k, and what a success costs. See `summarize_episodes`.

    Args:
        k: the numbers of episodes for pass@k and pass^k.
        success_at: the reward of a success.
    """

    request_type = AgentRequest
    sees_all_epochs = True

    def __init__(self, k: Sequence[int] = (1, 2, 4), success_at: float = 1.0):
        self._ks, self._success_at = list(k), success_at

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        by_split: dict[str | None, list[EpisodeFigures]] = {}
        for state in scenario_state.request_states:
            by_split.setdefault(state.instance.split, []).append(_figures_of(state))
        stats = [
            Stat(MetricName(name, split)).add(value)
            for split, episodes in by_split.items()
            for name, value in summarize_episodes(episodes, self._ks, self._success_at).items()
        ]
        return MetricResult(stats, [])

    def get_metadata(self) -> list[MetricMetadata]:
        return list(read_display_data(DISPLAY_DATA).values())


def _figures_of(state: RequestState) -> EpisodeFigures:
    request: Any = state.request
    found = get_agent_figures(state)
    return EpisodeFigures(
        request.task,
        found.get("agent_reward"),
        *(found.get(f"agent_{name}") for name in _PER_SUCCESS),
    )
