"""Item response theory with one parameter per item (the Rasch model).

The probability that a model answers an item correctly is `sigmoid(ability + z)`. As in HELM's banks, `z` is called the
difficulty of the item although larger values belong to easier items.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

PRIOR_SD = 3.0
"""Standard deviation of the normal prior of abilities: it keeps the estimate finite while all answers are right, or wrong."""

_ITEM_PRIOR_SD = 3.0
_NODES = np.linspace(-5.0, 5.0, 61)
_MAX_STEPS = 200
_TOLERANCE = 1e-9
_EM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Ability:
    """An estimate on the scale of logits."""

    value: float

    standard_error: float
    """The standard deviation of the normal approximation of the posterior."""


def estimate_ability(correctness: Sequence[float], difficulties: Sequence[float], prior_mean: float = 0.0) -> Ability:
    """Return the ability with the largest posterior density.

    Args:
        correctness: the score of each answer, 0 to 1.
        difficulties: the `z` of the same items.
        prior_mean: the mean of the prior, which is also the estimate without any answer.
    """
    scores, z = np.asarray(correctness, float), np.asarray(difficulties, float)
    ability, precision = prior_mean, PRIOR_SD**-2
    information = precision
    for _ in range(_MAX_STEPS):
        p = _sigmoid(ability + z)
        information = float(np.sum(p * (1 - p))) + precision
        step = (float(np.sum(scores - p)) - precision * (ability - prior_mean)) / information
        ability += float(np.clip(step, -1.0, 1.0))
        if abs(step) < _TOLERANCE:
            break
    return Ability(ability, information**-0.5)


def most_informative(ability: float, difficulties: Sequence[float], remaining: Sequence[int]) -> int:
    """Return the index, among those remaining, of the item with the largest Fisher information; the first of equal ones.

    The information `p (1 - p)` is largest where `ability + z` is nearest to zero.
    """
    return min(remaining, key=lambda index: abs(difficulties[index] + ability))


def fit_difficulties(responses: "np.ndarray") -> "np.ndarray":
    """Return the `z` of each item by marginal maximum likelihood, with abilities from the standard normal distribution.

    A weak normal prior keeps items finite that all models answer alike.

    Args:
        responses: scores from 0 to 1, one row per model and one column per item; NaN where there is no answer.
    """
    is_there = ~np.isnan(responses)
    scores = np.where(is_there, responses, 0.0)
    weights = np.exp(-(_NODES**2) / 2)
    log_weights = np.log(weights / weights.sum())
    z = np.zeros(responses.shape[1])
    for _ in range(_MAX_STEPS):
        p = _sigmoid(_NODES[:, None] + z)  # nodes x items
        log_likelihood = scores @ np.log(p).T + (is_there - scores) @ np.log1p(-p).T + log_weights
        posterior = np.exp(log_likelihood - log_likelihood.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)  # models x nodes
        count = posterior.T @ is_there
        slope = scores.sum(axis=0) - (count * p).sum(axis=0) - z / _ITEM_PRIOR_SD**2
        curvature = (count * p * (1 - p)).sum(axis=0) + _ITEM_PRIOR_SD**-2
        step = np.clip(slope / curvature, -1.0, 1.0)
        z = z + step
        if np.max(np.abs(step), initial=0.0) < _EM_TOLERANCE:
            break
    return z


def _sigmoid(x: "np.ndarray") -> "np.ndarray":
    return 1 / (1 + np.exp(-x))
