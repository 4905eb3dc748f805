"""Metrics for the correctness and speed of an AD tool's evaluations."""

from __future__ import annotations

import itertools
import math
import os
import statistics
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.common.errors import MetricError
from helm.common.evaluate_request import (
    STATUS_ERROR,
    STATUS_FAILURE,
    STATUS_TIMEOUT,
    STATUS_UNDEFINED,
    EvaluateRequest,
    EvaluateResult,
    Timing,
)
from helm.gradbench.comparison import Analysis, analyze
from helm.gradbench.evals.registry import eval_names, find_eval_class
from helm.gradbench.intervals import repeated_median_interval
from helm.gradbench.log import LogError
from helm.gradbench.protocol import EvaluateMessage
from helm.gradbench.scoring import EvaluatePair, create_scorer

_NS_PER_S = 1e9
_DISPLAY_DATA = os.path.join(os.path.dirname(__file__), "display_data.yaml")

_SET_UP = {"prepare": "prepare_time_s", "compile": "compilation_time_s", "first_run": "first_run_time_s"}
"""Name of a timing of one-time work that is not part of an evaluation -> its stat."""

_STATUS_METRICS = {
    "undefined": STATUS_UNDEFINED,
    "failed": STATUS_FAILURE,
    "timed_out": STATUS_TIMEOUT,
    "crashed": STATUS_ERROR,
}


class EvaluationMetric(MetricInterface):
    """Base of metrics of single evaluations: each has a list of stats, which are averaged over the run by split."""

    request_type = EvaluateRequest

    @abstractmethod
    def evaluate_all(self, request_states: list[RequestState]) -> list[list[Stat]]:
        """Return the stats of each evaluation, in the order of the states."""

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        states = scenario_state.request_states
        per_instance: list[PerInstanceStats] = []
        merged: dict[MetricName, Stat] = {}
        for state, stats in zip(states, self.evaluate_all(states), strict=True):
            instance = state.instance
            assert instance.id is not None  # the Runner numbers instances
            per_instance.append(PerInstanceStats(instance.id, instance.perturbation, state.train_trial_index, stats))
            for stat in stats:
                name = replace(stat.name, split=instance.split, sub_split=instance.sub_split)
                merge_stat(merged, replace(stat, name=name))
        run_stats = [
            replace(s, name=replace(s.name, split=states[0].instance.split))
            for s in self.run_stats(states, per_instance)
        ]
        return MetricResult([*(stat.take_mean() for stat in merged.values()), *run_stats], per_instance)

    def run_stats(self, request_states: list[RequestState], per_instance: list[PerInstanceStats]) -> list[Stat]:
        """Return the stats of the whole run; none by default."""
        return []


def _request_and_result(state: RequestState) -> tuple[EvaluateRequest, EvaluateResult]:
    assert isinstance(state.request, EvaluateRequest) and isinstance(state.result, EvaluateResult)
    return state.request, state.result


class ValidityMetric(EvaluationMetric):
    """Measures whether the tool answered, and whether its answers are right.

    Emits for every evaluation ``solved`` (1 when the tool returned a right output) and 0 or 1 for each way of
    returning none: ``undefined`` (it lacks the module), ``failed`` (it reported a failure), ``timed_out``, ``crashed`` (it
    exited or broke the protocol). For those with an output it also emits ``valid`` (0 or 1) and ``num_mismatches`` (number
    of places that differ; 0 is best). So ``valid`` refers to answers, and its count is their number.

    An output is compared with ``extra_data["expected"]`` of the instance if there is one, else judged by the eval that
    the module belongs to. The metric raises ``MetricError`` when there is neither. By default it judges strictly: the
    tolerance for small numbers is relative to the largest expected number around them, so zeros never pass for a gradient;
    and it emits ``relative_error``, the largest difference divided by that largest number.

    A run whose evaluations are all right has a ``score``, as the original computes it: one divided by the sum, in
    seconds, of the mean times of both functions of all workloads; for ``particle`` and ``saddle``, one divided by the mean
    time of the fastest function; for ``hello`` 1. So it depends on the workloads, and large ones dominate.

    Args:
        compat: judge as the original evals do, with an absolute tolerance below 1, and another gradient for ``ode``; and
            score everything that has times, so that missing workloads improve the score.
    """

    def __init__(self, compat: bool = False):
        self._is_strict = not compat

    def evaluate_all(self, request_states: list[RequestState]) -> list[list[Stat]]:
        return [self._stats(state) for state in request_states]

    def run_stats(self, request_states: list[RequestState], per_instance: list[PerInstanceStats]) -> list[Stat]:
        solved = [stat.sum for item in per_instance for stat in item.stats if stat.name.name == "solved"]
        score = _score(request_states) if solved and (all(solved) or not self._is_strict) else None
        return [] if score is None else [Stat(MetricName("score")).add(score)]

    def _stats(self, state: RequestState) -> list[Stat]:
        _, result = _request_and_result(state)
        analysis = _analyze(state, self._is_strict) if result.success else None
        solved = analysis is not None and analysis.valid
        stats = [Stat(MetricName("solved")).add(solved)]
        stats += [Stat(MetricName(name)).add(result.status == status) for name, status in _STATUS_METRICS.items()]
        if analysis is not None:
            stats.append(Stat(MetricName("valid")).add(analysis.valid))
            stats.append(Stat(MetricName("num_mismatches")).add(analysis.num_mismatches))
            if analysis.relative_error is not None:
                stats.append(Stat(MetricName("relative_error")).add(analysis.relative_error))
        return stats

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(
            [
                "solved",
                "score",
                "valid",
                "num_mismatches",
                "relative_error",
                "undefined",
                "failed",
                "timed_out",
                "crashed",
            ],
            _DISPLAY_DATA,
        )


def _score(states: list[RequestState]) -> float | None:
    """Return the original's score; None for functions that belong to no eval, and if nothing was timed."""
    pairs = []
    for state in states:
        request, result = _request_and_result(state)
        if find_eval_class(request.module) is None:
            return None
        times = [timing.nanoseconds for timing in result.timings or [] if timing.name == "evaluate"]
        message = EvaluateMessage(0, request.module, request.function, b"null", request.description)
        pairs.append(EvaluatePair(message, sum(times) // len(times) if times else None))
    try:
        score = create_scorer(pairs[0].message.module).add("", pairs)
    except LogError:  # the same workload twice, or no times at all
        return None
    return score if math.isfinite(score) else None


def _analyze(state: RequestState, strict: bool) -> Analysis:
    """Judge the output of a successful evaluation."""
    request, result = _request_and_result(state)
    data: dict[str, Any] = state.instance.extra_data or {}
    if "expected" in data:
        return analyze(data["expected"], result.output, strict=strict)
    eval_class = find_eval_class(request.module)
    if eval_class is None:
        raise MetricError(
            f"Instance {state.instance.id}: nothing says what {request.module}::{request.function} should return. Put "
            f"the expected output into extra_data['expected']; only {', '.join(eval_names())} come with validators."
        )
    value = request.input if request.input_from is None else result.resolved_input
    return eval_class().analyze(request.function, value, result.output, strict)


class TimingMetric(EvaluationMetric):
    """Measures how long the tool's functions took, by the tool's own clock; all times in seconds, smaller is better.

    Emits for every evaluation with timings named ``evaluate``: ``evaluate_time_s`` (median of the runs; for several
    processes, the median of their medians), ``evaluate_time_min_s``, ``evaluate_time_max_s``; from six runs on
    ``evaluate_time_low_s`` and ``evaluate_time_high_s``, the 95% interval of the median;
    ``num_timed_runs``, and ``num_processes`` if there were several; the same median under the role of the function in
    its eval, as ``primal_time_s`` or ``derivative_time_s``, or as ``<function>_time_s`` if the eval has no such pair;
    and ``round_trip_time_s``, from sending the message to receiving its whole answer. The sums of the timings named
    ``prepare``, ``compile`` and ``first_run`` are ``prepare_time_s``, ``compilation_time_s`` and ``first_run_time_s``,
    which are not included in the others.

    The derivative of a workload also has ``derivative_over_primal``, the dimensionless ratio of the two medians.
    An evaluation without output has no times. Whether an output is right makes no difference here: see
    ``ValidityMetric``.
    """

    def evaluate_all(self, request_states: list[RequestState]) -> list[list[Stat]]:
        medians = [_median_s(_request_and_result(state)[1]) for state in request_states]
        primals = self._primal_medians(request_states, medians)
        return [self._stats(state, median, primals) for state, median in zip(request_states, medians, strict=True)]

    @staticmethod
    def _primal_medians(
        states: Iterable[RequestState], medians: Iterable[float | None]
    ) -> dict[tuple[str, str | None], float]:
        """Return the median time of the primal function by module and workload; repeated ones are averaged."""
        found: dict[tuple[str, str | None], list[float]] = defaultdict(list)
        for state, median in zip(states, medians, strict=True):
            request, _ = _request_and_result(state)
            if median is not None and _part(request) == "primal":
                found[(request.module, request.description)].append(median)
        return {key: statistics.fmean(values) for key, values in found.items()}

    @staticmethod
    def _stats(state: RequestState, median: float | None, primals: dict[tuple[str, str | None], float]) -> list[Stat]:
        request, result = _request_and_result(state)
        values: dict[str, float] = {}
        if median is not None:
            groups = _runs_by_process(result)
            times = [time for group in groups for time in group]
            values["evaluate_time_s"] = median
            values["evaluate_time_min_s"] = min(times)
            values["evaluate_time_max_s"] = max(times)
            interval = repeated_median_interval(groups)
            if interval is not None:
                values["evaluate_time_low_s"], values["evaluate_time_high_s"] = interval
            values["num_timed_runs"] = len(times)
            if len(groups) > 1:
                values["num_processes"] = len(groups)
            part = _part(request)
            values[f"{part or request.function}_time_s"] = median
            primal = primals.get((request.module, request.description))
            if part == "derivative" and primal:
                values["derivative_over_primal"] = median / primal
        if result.success and result.elapsed_ns is not None:
            values["round_trip_time_s"] = result.elapsed_ns / _NS_PER_S
        for name, stat in _SET_UP.items():
            times = _times_s(result.timings, name) if result.success else []
            if times:
                values[stat] = sum(times)
        return [Stat(MetricName(name)).add(value) for name, value in values.items()]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(
            [
                "evaluate_time_s",
                "evaluate_time_min_s",
                "evaluate_time_max_s",
                "evaluate_time_low_s",
                "evaluate_time_high_s",
                "num_timed_runs",
                "num_processes",
                "*_time_s",
                "primal_time_s",
                "derivative_time_s",
                "derivative_over_primal",
                "round_trip_time_s",
                "prepare_time_s",
                "compilation_time_s",
                "first_run_time_s",
            ],
            _DISPLAY_DATA,
        )


def _times_s(timings: list[Timing] | None, name: str) -> list[float]:
    return [timing.nanoseconds / _NS_PER_S for timing in timings or [] if timing.name == name]


def _median_s(result: EvaluateResult) -> float | None:
    """Return the median over processes of the median of their timed runs; None without output or without timings."""
    groups = _runs_by_process(result) if result.success else []
    return statistics.median(statistics.median(group) for group in groups) if groups else None


def _runs_by_process(result: EvaluateResult) -> list[list[float]]:
    """Return the timed runs of each process that made any, in seconds."""
    times = _times_s(result.timings, "evaluate")
    counts = result.runs_by_process or [len(times)]
    ends = list(itertools.accumulate(counts))
    return [times[end - count : end] for count, end in zip(counts, ends, strict=True) if count]


def _part(request: EvaluateRequest) -> str | None:
    """Return ``primal``, ``derivative``, or None when the module belongs to no eval with such a pair."""
    eval_class = find_eval_class(request.module)
    return (
        None
        if eval_class is None
        else {eval_class.primal: "primal", eval_class.derivative: "derivative"}.get(request.function)
    )
