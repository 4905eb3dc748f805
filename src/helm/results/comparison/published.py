"""Compares runs with published ones of the same name: whether a score agrees with the published number."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from helm.common.errors import ConfigError
from helm.results.comparison.published_places import match_key
from helm.results.instance_values import read_instance_values
from helm.results.metric_choice import MetricCatalogue, MetricChoice
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME
from helm.results.run_results import RunResults
from helm.results.statistics.distributions import normal_quantile
from helm.results.statistics.paired import compare_paired, is_too_few

AGREES, DIFFERS, CANNOT_TELL = "agrees", "differs", "cannot tell"


@dataclass(frozen=True)
class PublishedScore:
    """One score beside the published one."""

    run: str

    metric: str

    published: float

    ours: float

    difference: float
    """Ours minus the published score."""

    low: float | None
    """The lower end of the interval of the difference; None, like `high`, if there is none."""

    high: float | None

    instances: int
    """The number of instances that both have, or of ours if the published run has no scores of instances."""

    is_paired: bool

    verdict: str
    """`agrees` (no difference is shown), `differs` or `cannot tell`."""


def compare_published(
    ours: Sequence[RunResults],
    published: dict[str, RunResults],
    metrics: Sequence[MetricChoice] = (),
    alpha: float = 0.05,
    catalogue: MetricCatalogue | None = None,
) -> tuple[list[PublishedScore], list[str]]:
    """Return the scores of runs beside the published ones, and the names of runs that are not published.

    Args:
        metrics: the metrics to compare; none means the main metric of each run.
        alpha: the probability of calling equal scores different, for each score.

    Raises:
        ConfigError: A metric is missing; RunFileError for damaged files.
    """
    catalogue = catalogue or MetricCatalogue()
    scores, unmatched = [], []
    for run in ours:
        other = published.get(match_key(run.name))
        if other is None:
            unmatched.append(run.name)
            continue
        names = sorted({key.name for key in read_instance_values(run).metrics})
        for metric in metrics or catalogue.choose(run, names):
            scores.append(_compare(run, other, metric, alpha))
    return scores, unmatched


def _compare(run: RunResults, other: RunResults, metric: MetricChoice, alpha: float) -> PublishedScore:
    own = _instance_scores(run, metric)
    if not own:
        raise ConfigError(f"{run.name} has no {metric}.")
    theirs = _instance_scores(other, metric) if PER_INSTANCE_STATS_FILE_NAME in other.file_names else {}
    common = [key for key in own if key in theirs]
    of_published: int | None = len(common)
    if common:
        pair = compare_paired([own[key] for key in common], [theirs[key] for key in common], confidence=1 - alpha)
        found = pair.difference
        low, high, count = found.low, found.high, len(common)
        ours, published = (sum(values[key] for key in common) / count for values in (own, theirs))
    else:
        count, ours, published = len(own), sum(own.values()) / len(own), _published_mean(other, metric)
        low = high = None
        of_published = None
        if 0 <= min(ours, published) and max(ours, published) <= 1:
            # The variance of a share is the largest that values from 0 to 1 with this mean can have.
            of_published = len(theirs) or _published_instances(other, metric)
        if of_published:
            error = (ours * (1 - ours) / count + published * (1 - published) / of_published) ** 0.5
            reach = normal_quantile(1 - alpha / 2) * error
            low, high = ours - published - reach, ours - published + reach
    if low is None or high is None or is_too_few(count if common else min(count, of_published or 0), alpha):
        verdict = CANNOT_TELL
    else:
        verdict = AGREES if low <= 0 <= high else DIFFERS
    difference = ours - published
    return PublishedScore(run.name, str(metric), published, ours, difference, low, high, count, bool(common), verdict)


def _instance_scores(run: RunResults, metric: MetricChoice) -> dict[str, float]:
    """Return the mean over trials of each unperturbed instance."""
    values = read_instance_values(run, {metric.name})
    found: dict[str, list[float]] = {}
    for key, of_metric in values.metrics.items():
        if metric.split is None or key.split == metric.split:
            for i, value in enumerate(of_metric.values):
                if of_metric.perturbations[i] == 0:
                    _check_finite(value, run, metric)
                    found.setdefault(values.instance_ids[of_metric.owners[i]], []).append(value)
    return {instance_id: sum(numbers) / len(numbers) for instance_id, numbers in found.items()}


def _published_mean(run: RunResults, metric: MetricChoice) -> float:
    for stat in run.stats():
        name = stat.name
        if name.name == metric.name and name.perturbation is None and metric.split in (None, name.split):
            if stat.mean is not None:
                _check_finite(stat.mean, run, metric)
                return stat.mean
    raise ConfigError(f"--published: {run.path} has no {metric}.")


def _check_finite(value: float, run: RunResults, metric: MetricChoice) -> None:
    if not math.isfinite(value):
        raise ConfigError(
            f"--published: a value of {metric} in {run.path} is {value}, which cannot be compared; use another --metric."
        )


def _published_instances(run: RunResults, metric: MetricChoice) -> int | None:
    """Return the number of instances behind a published score; None if the run does not say."""
    numbers = [
        stat.mean
        for stat in run.stats()
        if stat.name.name == "num_instances"
        and stat.name.perturbation is None
        and metric.split in (None, stat.name.split)
    ]
    known = [number for number in numbers if number is not None and 1 <= number < 1e12]
    return round(max(known)) if known else None
