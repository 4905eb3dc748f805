"""Win rates of several subjects, with intervals."""

from dataclasses import dataclass
from typing import List, Optional, Sequence

import numpy as np

from helm.results.statistics.intervals import BOOTSTRAP, CONFIDENCE, Estimate
from helm.results.statistics.resampling import RESAMPLES, SEED, bootstrap_means, cluster_totals


@dataclass(frozen=True)
class Task:
    """The values of all subjects on the instances of one scenario."""

    values: np.ndarray
    """Shape (instances, subjects)."""

    lower_is_better: bool = False

    clusters: Optional[Sequence[object]] = None


@dataclass(frozen=True)
class Standing:
    """How one subject does against the others."""

    win_rate: Estimate
    """Mean over tasks of the share of other subjects that it beats by its mean score, ties counting half: what tables of
    leaderboards call mean win rate. The interval is over other draws of the instances."""

    instance_win_rate: Estimate
    """Mean over tasks of the share of (other subject, instance) pairs on which it is better, ties counting half."""

    best_share: float
    """Of the resamples in which no subject has a higher win rate: how sure the first place is."""


def rank_subjects(
    tasks: Sequence[Task], confidence: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = SEED
) -> List[Standing]:
    """Standings of the subjects over tasks that all of them did; there must be a task and two subjects."""
    subjects = tasks[0].values.shape[1]
    rates, own_rates = np.zeros((resamples, subjects)), np.zeros((resamples, subjects))
    observed, own = np.zeros(subjects), np.zeros(subjects)
    instances = clusters = 0
    for number, task in enumerate(tasks):
        sign = -1.0 if task.lower_is_better else 1.0
        values = sign * task.values
        wins = _win_rates(values)
        totals, sizes = cluster_totals(np.column_stack([values, wins]), task.clusters)
        drawn = bootstrap_means(totals, sizes, resamples, seed + number)
        rates += _win_rates(drawn[:, :subjects]) / len(tasks)
        own_rates += drawn[:, subjects:] / len(tasks)
        observed += _win_rates(values.mean(axis=0)[None, :])[0] / len(tasks)
        own += wins.mean(axis=0) / len(tasks)
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
            estimate(float(own[i]), own_rates[:, i]),
            float(best[:, i].mean()),
        )
        for i in range(subjects)
    ]


def _win_rates(scores: np.ndarray) -> np.ndarray:
    """For each row of scores (greater is better) the share of the others that each one beats, ties counting half."""
    subjects = scores.shape[1]
    rates = np.zeros_like(scores)
    for i in range(subjects):
        rates[:, i] = (scores[:, i : i + 1] > scores).sum(axis=1) + 0.5 * (
            (scores[:, i : i + 1] == scores).sum(axis=1) - 1
        )
    return rates / (subjects - 1)
