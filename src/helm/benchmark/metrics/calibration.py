"""Measures whether a model is right as often as it is confident."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Instance
from helm.common.hierarchical_logger import hwarn

# As in HELM, so that calibration errors are comparable.
_NUM_BINS = 10
_INVERSE_PENALTY = 1e10


def compute_calibration_metrics(per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
    """Return the calibration of the answer's probability (`max_prob`) against `exact_match`, in one context.

    Empty if no instance has a negative `logprob`, because the model then returns no probabilities. HELM: a fractional
    exact match counts as 0. Without SciPy, the Platt-scaled stats are omitted.
    """
    if not any(_has_logprob(stats) for stats in per_instance_stats.values()):
        return []
    probs: list[float] = []
    corrects: list[int] = []
    for stats in per_instance_stats.values():
        max_prob, exact_match = _get_mean(stats, "max_prob"), _get_mean(stats, "exact_match")
        if max_prob is not None and exact_match is not None:
            probs.append(max_prob)
            corrects.append(int(exact_match))
    return _compute_stats(probs, corrects) if probs else []


def _has_logprob(stats: Sequence[Stat]) -> bool:
    for stat in stats:
        if stat.sum < 0 and stat.name.name == "logprob":
            return True
    return False


def _get_mean(stats: Sequence[Stat], name: str) -> float | None:
    matching = [stat for stat in stats if stat.name.name == name]
    assert len(matching) <= 1, f"Expected at most one stat named {name}, got {len(matching)}: {matching}"
    return matching[0].mean if matching else None


def _compute_stats(probs: list[float], corrects: list[int]) -> list[Stat]:
    values: list[tuple[str, float]] = [
        ("ece_10_bin", get_expected_calibration_error(probs, corrects, _NUM_BINS)),
        ("ece_1_bin", get_expected_calibration_error(probs, corrects, 1)),
    ]
    area, accuracy = get_selective_accuracy(probs, corrects, 0.1)
    values += [("selective_cov_acc_area", area), ("selective_acc@10", accuracy)]
    if len(set(corrects)) == 1:
        values += [("platt_ece_10_bin", 0.0), ("platt_ece_1_bin", 0.0)]
    else:
        values += _compute_platt_values(probs, corrects)
    return [Stat(MetricName(name)).add(value) for name, value in values]


def get_expected_calibration_error(probs: Sequence[float], corrects: Sequence[int], num_bins: int) -> float:
    """Return the mean of |mean confidence - accuracy| over bins of about equal size, weighted by size.

    Bins are formed by value, so equal confidences share a bin, and there may be fewer than `num_bins`.
    """
    edges = _get_bin_edges(sorted(probs), num_bins)
    bins: dict[int, tuple[list[float], list[int]]] = {}
    for prob, correct in zip(probs, corrects, strict=True):
        in_bin = bins.setdefault(bisect_left(edges, prob), ([], []))
        in_bin[0].append(prob)
        in_bin[1].append(correct)
    error = 0.0
    for i in sorted(bins):
        bin_probs, bin_corrects = bins[i]
        size = len(bin_probs)
        error += size / len(probs) * abs(_mean(bin_probs) - _mean(bin_corrects))
    return error


def _get_bin_edges(ordered: list[float], num_bins: int) -> list[float]:
    """Return the upper ends of the bins in ascending order; the last is 1."""
    num_parts = min(num_bins, len(ordered))
    size, num_larger = divmod(len(ordered), num_parts)
    edges, end = set(), 0
    for i in range(num_parts - 1):
        end += size + (1 if i < num_larger else 0)
        edges.add((ordered[end - 1] + ordered[end]) / 2.0)
    return sorted(edges | {1.0})


def _mean(values: Sequence[float]) -> float:
    import numpy as np

    return float(np.mean(values))


def get_selective_accuracy(probs: Sequence[float], corrects: Sequence[int], fraction: float) -> tuple[float, float]:
    """Return, for the accuracies of the k most confident answers (k = 1, 2, ...), the mean and the value at `fraction`."""
    import numpy as np

    order = np.argsort(-np.array(probs))
    accuracies = np.cumsum(np.array(corrects)[order]) / np.arange(1, len(probs) + 1)
    return float(accuracies.mean()), float(accuracies[int(fraction * len(probs))])


def _compute_platt_values(probs: list[float], corrects: list[int]) -> list[tuple[str, float]]:
    """Return the coefficients of Platt scaling, and the calibration errors of the scaled confidences."""
    import numpy as np

    fitted = _fit_logistic_regression(_to_logits(probs), corrects)
    if fitted is None:
        return []
    coefficient, intercept = fitted
    scaled = (1.0 / (1.0 + np.exp(-(coefficient * _to_logits(probs) + intercept)))).tolist()
    return [
        ("platt_coef", coefficient),
        ("platt_intercept", intercept),
        ("platt_ece_10_bin", get_expected_calibration_error(scaled, corrects, _NUM_BINS)),
        ("platt_ece_1_bin", get_expected_calibration_error(scaled, corrects, 1)),
    ]


def _to_logits(probs: list[float]) -> Any:
    import numpy as np

    clipped = np.clip(np.array(probs, dtype=float), 1e-12, 1 - 1e-12)
    return np.log(clipped / (1 - clipped))


def _fit_logistic_regression(logits: Any, corrects: list[int]) -> tuple[float, float] | None:
    """Return the coefficient and the intercept; None if SciPy is not installed.

    HELM: they are where scikit-learn's `LogisticRegression(C=1e10)` stops, which matters where right and wrong answers can be
    told apart by their confidence, so that there is no best coefficient. Loss, start and limits are the same here, without a
    second and more to import that package.
    """
    minimize = _load_minimize()
    if minimize is None:
        return None
    import numpy as np

    targets, count = np.array(corrects, dtype=float), len(corrects)
    penalty = 1.0 / (_INVERSE_PENALTY * count)

    def loss_and_gradient(weights: Any) -> tuple[float, Any]:
        scores = weights[0] * logits + weights[1]
        loss = float((np.logaddexp(0.0, scores) - targets * scores).sum()) / count + 0.5 * penalty * weights[0] ** 2
        errors = (np.exp(-np.logaddexp(0.0, -scores)) - targets) / count
        return loss, np.array([errors @ logits + penalty * weights[0], errors.sum()])

    limits = {"maxiter": 100, "maxls": 50, "gtol": 1e-4, "ftol": 64 * np.finfo(float).eps}
    found = minimize(loss_and_gradient, np.zeros(2), method="L-BFGS-B", jac=True, options=limits)
    return float(found.x[0]), float(found.x[1])


@lru_cache(maxsize=1)
def _load_minimize() -> Any:
    """Return SciPy's function, or None with a warning (once) if the package is not installed."""
    try:
        from scipy.optimize import minimize
    except ModuleNotFoundError as error:
        hwarn(
            f"The package '{error.name}' is not installed, so the platt_ stats are left out. "
            "Install it with: pip install 'helm-evals[metrics]'"
        )
        return None
    return minimize
