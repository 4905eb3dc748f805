"""Win rates of several subjects, with intervals."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from helm.results.statistics.intervals import (
    BOOTSTRAP,
    CONFIDENCE,
    SIMULATION,
    Estimate,
    MeanFacts,
    combine_means,
    drawing_error,
    estimate_from_facts,
    gather_mean,
)
from helm.results.statistics.resampling import RESAMPLES, SEED, bootstrap_means, cluster_totals

# The ends of an interval of 95% are then estimated from 50 draws in each tail. With many subjects and tasks, fewer simulations
# keep the number of draws, and so time and memory, bounded.
_SIMULATIONS = 2_000
_FEWEST_SIMULATIONS = 200
_MOST_DRAWS = 4_000_000


@dataclass(frozen=True)
class Task:
    """The values of all subjects on the instances of one scenario."""

    values: np.ndarray
    """The values, with the shape (instances, subjects)."""

    lower_is_better: bool = False

    clusters: Sequence[Hashable] | None = None


@dataclass(frozen=True)
class Standing:
    """One subject's results against the others."""

    win_rate: Estimate
    """The mean over tasks of the share of other subjects that it beats by its mean score, with ties counting half; this is
    the mean win rate of leaderboards. The interval is over other draws of the instances."""

    instance_win_rate: Estimate
    """The mean over tasks of the share of (other subject, instance) pairs on which it is better, with ties counting half."""

    best_share: float
    """The share of resamples in which no subject has a higher win rate: the certainty of the first place."""


def rank_subjects(
    tasks: Sequence[Task], confidence: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Standing]:
    """Return the standings of at least two subjects over at least one task that all of them have."""
    subjects = tasks[0].values.shape[1]
    rates, observed = np.zeros((resamples, subjects)), np.zeros(subjects)
    own: list[list[tuple[float, MeanFacts]]] = [[] for _ in range(subjects)]
    instances = clusters = 0
    for number, task in enumerate(tasks):
        sign = -1.0 if task.lower_is_better else 1.0
        values = sign * task.values
        wins = _win_rates(values)
        totals, sizes = cluster_totals(values, task.clusters)
        rates += _win_rates(bootstrap_means(totals, sizes, resamples, seed + number)) / len(tasks)
        observed += _win_rates(values.mean(axis=0)[None, :])[0] / len(tasks)
        for column, facts in zip(wins.T, own, strict=True):
            found = gather_mean(column.tolist(), task.clusters)
            assert found is not None
            facts.append((1.0, found))
        instances += len(values)
        clusters += len(totals)
    best = rates >= rates.max(axis=1, keepdims=True) - 1e-12

    def estimate(value: float, replicates: np.ndarray) -> Estimate:
        low, high = np.quantile(replicates, [(1 - confidence) / 2, (1 + confidence) / 2])
        error = float(replicates.std(ddof=1))
        return Estimate(value, error, float(low), float(high), confidence, BOOTSTRAP, instances, clusters)

    return [
        Standing(
            estimate(float(observed[i]), rates[:, i]),
            _estimate_combined(own[i], confidence),
            float(best[:, i].mean()),
        )
        for i in range(subjects)
    ]


def _estimate_combined(parts: Sequence[tuple[float, MeanFacts]], confidence: float) -> Estimate:
    """Return the mean over tasks of means over instances, in [0, 1]."""
    combined = combine_means(parts)
    assert combined is not None
    found = estimate_from_facts(combined, confidence)
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def _win_rates(scores: np.ndarray) -> np.ndarray:
    """Return, for each row of scores (greater is better), the share of others that each beats, with ties counting half."""
    subjects = scores.shape[1]
    rates = np.zeros_like(scores)
    for i in range(subjects):
        rates[:, i] = (scores[:, i : i + 1] > scores).sum(axis=1) + 0.5 * (
            (scores[:, i : i + 1] == scores).sum(axis=1) - 1
        )
    return rates / (subjects - 1)


ScoreColumn = tuple[tuple[MeanFacts | None, ...], bool]
"""The scores of all subjects on a task (None if a subject has none), and whether lower is better."""


@lru_cache(maxsize=64)
def estimate_win_rates(
    columns: tuple[ScoreColumn, ...], confidence: float = CONFIDENCE, seed: int = SEED
) -> list[Estimate | None]:
    """Estimate mean win rates of subjects from their scores alone, without the values of single instances.

    The rate is the mean, over tasks for which at least two subjects have a score, of the share of the others that a subject
    beats, with ties counting half. The interval comes from drawing every score anew from its normal distribution. Subjects
    are drawn independently although they may have answered the same questions, so it is rather too wide; `rank_subjects` does
    it properly, from the instances. There is no interval if the error of a relevant score is unknown.

    Returns:
        One estimate per subject; None for those without a relevant score.
    """
    number = len(columns[0][0]) if columns else 0
    shown = [[i for i, facts in enumerate(scores) if facts is not None] for scores, _ in columns]
    draws = sum(map(len, shown))
    simulations = max(_FEWEST_SIMULATIONS, min(_SIMULATIONS, _MOST_DRAWS // max(1, draws)))
    generator = np.random.default_rng(seed)
    totals, observed, counts = np.zeros((simulations, number)), np.zeros(number), np.zeros(number)
    is_known = True
    for (scores, lower_is_better), members in zip(columns, shown, strict=True):
        if len(members) < 2:
            continue
        facts = [found for i in members if (found := scores[i]) is not None]
        is_known = is_known and all(found.variance is not None for found in facts)
        sign = -1.0 if lower_is_better else 1.0
        values = sign * np.array([found.mean for found in facts])
        errors = np.array([drawing_error(found) for found in facts])
        drawn = values + errors * generator.standard_normal((simulations, len(members)))
        totals[:, members] += _rates_by_rank(drawn)
        observed[members] += _rates_by_rank(values[None, :])[0]
        counts[members] += 1
    found_rates: list[Estimate | None] = []
    for i in range(number):
        if not counts[i]:
            found_rates.append(None)
            continue
        value, tasks = float(observed[i] / counts[i]), int(counts[i])
        if not is_known:
            found_rates.append(Estimate(value, count=tasks, clusters=tasks))
            continue
        rates = totals[:, i] / counts[i]
        low, high = (float(x) for x in np.quantile(rates, [(1 - confidence) / 2, (1 + confidence) / 2]))
        error = float(rates.std(ddof=1))
        found_rates.append(
            Estimate(value, error, min(low, value), max(high, value), confidence, SIMULATION, tasks, tasks)
        )
    return found_rates


def _rates_by_rank(scores: np.ndarray) -> np.ndarray:
    """Return the same as `_win_rates` by sorting, for many subjects of which few are tied."""
    order = scores.argsort(axis=1, kind="stable")
    ranks = np.empty_like(scores)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1], dtype=float)[None, :], axis=1)
    in_order = np.take_along_axis(scores, order, axis=1)
    for row in np.flatnonzero((in_order[:, 1:] == in_order[:, :-1]).any(axis=1)):
        _, groups, sizes = np.unique(scores[row], return_inverse=True, return_counts=True)
        ranks[row] = (np.bincount(groups, ranks[row]) / sizes)[groups]
    return ranks / (scores.shape[1] - 1)
