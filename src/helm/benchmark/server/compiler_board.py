"""The leaderboard on the page of compilers: policies by what their episodes earn, as CompilerGym ranks them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from helm.results.statistics.intervals import Estimate, estimate_geometric_mean

_MOST_PROBLEMS = 3


@dataclass
class BoardRow:
    """A policy under one reward."""

    policy: str
    score: Estimate | None
    """Geometric mean of the rewards of its episodes, with the interval over programs; None if it has no score."""
    num_episodes: int
    mean_elapsed_s: float | None
    """Mean time of search and answer, in seconds."""
    problems: list[str] = field(default_factory=list)
    """Why it has no score."""


def make_boards(episodes: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, list[BoardRow]]:
    """Rank policies for each reward, the best first and those without a score last.

    A policy has a score if each of its episodes succeeded and it has one for each program on which any policy has any.

    Args:
        episodes: pairs of policy and episode, as the index of runs has them.
    """
    by_reward: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for policy, episode in episodes:
        by_reward.setdefault(episode["reward_space"], {}).setdefault(policy, []).append(episode)
    return {reward: _rank(policies) for reward, policies in sorted(by_reward.items())}


def _rank(policies: Mapping[str, list[Mapping[str, Any]]]) -> list[BoardRow]:
    programs = {episode["uri"]: episode["benchmark"] for found in policies.values() for episode in found}
    rows = [_rate(policy, found, programs) for policy, found in policies.items()]
    return sorted(rows, key=lambda row: (row.score is None, -(row.score.value if row.score else 0.0), row.policy))


def _rate(policy: str, episodes: list[Mapping[str, Any]], programs: Mapping[str, str]) -> BoardRow:
    problems = [f"{one['benchmark']}: {one['status'] or 'failed'}" for one in episodes if not one["success"]]
    problems += [f"{one['benchmark']}: reward {one['reward']}" for one in episodes if not math.isfinite(one["reward"])]
    done = {episode["uri"] for episode in episodes}
    problems += [f"{name}: no episode" for uri, name in programs.items() if uri not in done]
    times = [episode["elapsed_s"] for episode in episodes if isinstance(episode["elapsed_s"], (int, float))]
    score = None
    if not problems:
        rewards = [episode["reward"] for episode in episodes]
        # HELM: the mean is 0 as soon as one reward is not positive, as on the leaderboard of CompilerGym
        is_zero = min(rewards) <= 0
        score = Estimate(0.0) if is_zero else estimate_geometric_mean(rewards, [one["uri"] for one in episodes])
    shown = problems[:_MOST_PROBLEMS]
    if len(problems) > _MOST_PROBLEMS:
        shown.append(f"{len(problems) - _MOST_PROBLEMS} more")
    return BoardRow(policy, score, len(episodes), sum(times) / len(times) if times else None, shown)
