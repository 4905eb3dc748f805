"""The times of AD tools, run by run: medians and their ratios, with intervals.

The workloads are fixed, not a sample, so only the timing of repeated runs varies. The intervals state how far off a median
may be for that reason; whether a whole process or machine was slow, only further runs of `helm-run` can show.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from helm.common.evaluate_request import EvaluateResult, Timing
from helm.results.instance_values import iterate_states
from helm.results.run_files.run_schema import project
from helm.results.run_results import RunResults
from helm.results.statistics.distributions import t_quantile
from helm.results.statistics.intervals import (
    CONFIDENCE,
    STUDENT,
    Estimate,
    MeanFacts,
    estimate_median,
    exp_estimate,
)

_NS_PER_S = 1e9
_MEDIAN_TO_MEAN = math.pi / 2
"""The asymptotic ratio of the variance of the median to that of the mean, for normal values."""
# With fewer values, an interval of 95% between order statistics does not exist: 2 / 2^5 is more than 5%.
_FEWEST_FOR_ORDER = 6
_Timing = project(Timing, "name", nanoseconds=float)
_Result = project(EvaluateResult, "success", timings=_Timing)


@dataclass(frozen=True)
class Workload:
    """The timed runs of one evaluation."""

    instance_id: str

    module: str

    function: str

    description: str | None
    """The name of the workload; evaluations with the same description belong together."""

    input_size: float | None
    """The size of the workload: the product of the numbers in the description, or else the count of numbers in the input."""

    times_s: list[float] = field(default_factory=list)
    """The seconds of each run; empty for an evaluation without output or timings."""

    @property
    def part(self) -> str | None:
        """`primal` or `derivative`; None if the module belongs to no known eval, or to one without such a pair."""
        from helm.gradbench.evals.registry import find_eval_class

        eval_class = find_eval_class(self.module)
        return (
            None
            if eval_class is None
            else {eval_class.primal: "primal", eval_class.derivative: "derivative"}.get(self.function)
        )

    def median(self, confidence: float = CONFIDENCE) -> Estimate | None:
        """Return the median time in seconds; None without runs."""
        return estimate_median(self.times_s, confidence)


def read_workloads(run: RunResults) -> list[Workload]:
    """Read the evaluations of an AD tool, in order. Raises RunFileError."""
    found = []
    for state in iterate_states(run):
        request = state.request
        times: list[float] = []
        if state.result is not None:
            result = msgspec.convert(state.result, _Result)
            if result.success:
                times = [t.nanoseconds / _NS_PER_S for t in result.timings or [] if t.name == "evaluate"]
        description = request.get("description")
        found.append(
            Workload(
                instance_id=str(state.instance.get("id")),
                module=str(request.get("module", "")),
                function=str(request.get("function", "")),
                description=description,
                input_size=find_input_size(description, request.get("input")),
                times_s=times,
            )
        )
    return found


def find_input_size(description: str | None, value: Any) -> float | None:
    """Return the size of a workload as one number: the product of the integers in its description.

    `n=16,m=128` is 2048, and `2_5_1000` is 10000. Without a description, it is the count of numbers in the input; None if
    there is nothing to count.
    """
    import re

    numbers = [int(text) for text in re.findall(r"(?:(?<![\w.])|(?<=[=_]))\d+(?![\d.])", description or "")]
    if numbers and all(numbers):
        return float(math.prod(numbers))
    count = _count_numbers(value)
    return float(count) if count else None


def _count_numbers(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_count_numbers(item) for key, item in value.items() if key not in ("min_runs", "min_seconds"))
    if isinstance(value, list):
        return sum(_count_numbers(item) for item in value)
    return int(isinstance(value, (int, float)) and not isinstance(value, bool))


def log_median(times: Sequence[float]) -> MeanFacts | None:
    """Return the logarithm of a median with its variance; None without positive times."""
    positive = [time for time in times if time > 0]
    if not positive or len(positive) < len(times):
        return None
    variance: float | None = None
    if len(positive) >= _FEWEST_FOR_ORDER:
        found = estimate_median([math.log(time) for time in positive])
        if found is not None and found.standard_error is not None:
            variance = found.standard_error**2
    elif len(positive) > 1:
        logs = [math.log(time) for time in positive]
        variance = _MEDIAN_TO_MEAN * statistics.variance(logs) / len(logs)
    return MeanFacts(math.log(statistics.median(positive)), variance, len(times), len(times), False)


def estimate_ratio_of_medians(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE
) -> Estimate | None:
    """Return the ratio of the first median time to the second; None if either has no times.

    The interval is computed on logarithms, from those of the two medians. There is none if a side has a single run.
    """
    a, b = log_median(first), log_median(second)
    if a is None or b is None:
        return None
    ratio, count = a.mean - b.mean, a.count + b.count
    if a.variance is None or b.variance is None:
        return Estimate(math.exp(ratio), confidence=confidence, count=count, clusters=count)
    error = math.sqrt(a.variance + b.variance)
    reach = t_quantile(0.5 + confidence / 2, count - 2) * error
    return exp_estimate(Estimate(ratio, error, ratio - reach, ratio + reach, confidence, STUDENT, count, count))


def combine_medians(workloads: Sequence[Workload]) -> MeanFacts | None:
    """Return the mean over workloads of their median times, as shown in tables, with the variance from timing noise."""
    medians: list[tuple[float, float | None, int]] = []
    for workload in workloads:
        if workload.times_s:
            facts = log_median(workload.times_s)
            median = statistics.median(workload.times_s)
            variance = None if facts is None or facts.variance is None else facts.variance * median**2
            medians.append((median, variance, len(workload.times_s)))
    if not medians:
        return None
    count = sum(number for _, _, number in medians)
    mean = math.fsum(median for median, _, _ in medians) / len(medians)
    if any(variance is None for _, variance, _ in medians):
        return MeanFacts(mean, None, count, 1, False)
    variance = math.fsum(variance or 0.0 for _, variance, _ in medians) / len(medians) ** 2
    return MeanFacts(mean, variance, count, count - len(medians) + 1, False)


def timing_facts(workloads: Sequence[Workload]) -> dict[str, MeanFacts]:
    """Return the statistics of times in tables, by name: `evaluate_time_s` and one per function of a single eval."""
    groups: dict[str, list[Workload]] = {"evaluate_time_s": list(workloads)}
    for workload in workloads:
        groups.setdefault(f"{workload.part or workload.function}_time_s", []).append(workload)
    return {name: facts for name, found in groups.items() if (facts := combine_medians(found)) is not None}
