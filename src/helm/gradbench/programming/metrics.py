"""Metrics for the correctness and speed of derivatives that a model wrote."""

from __future__ import annotations

from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.errors import MetricError
from helm.common.formats.number_text import SECONDS
from helm.gradbench.programming.annotator import ADProgramAnnotator
from helm.gradbench.programming.sandboxed import FAILED, INVALID, NO_ANSWER, NO_PROGRAM, OUTCOMES, TIMED_OUT, VALID

_GROUP = "ad_programming"
_NS_PER_S = 1e9


class ADProgrammingMetric(Metric):
    """Scores the annotations of `ADProgramAnnotator`.

    Emits `unanswered` (0 or 1; of a failed request nothing else), and of each answer 0 or 1 for `solved` (its program ran on
    all workloads and is right on all), `ran`, `failed` (it raised, was ended or returned something else than arrays),
    `timed_out`, `no_program`. Of programs that ran: `valid`, and where it can be told `relative_error`, the largest of the
    workloads. Of those that are right: `derivative_time_s` and `reference_time_s`, medians of the last workload;
    `speed_over_reference`, the time of our NumPy derivative over that of the program, geometric mean over the workloads, above
    1 when the program is faster; `num_timed_runs`, the fewest of a workload; `times_disagree`, 0 or 1: the times that a
    program's process told are far below those seen from outside, which then stand in their place. Programs that are wrong
    have no speed.
    """

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        trial = (request_state.annotations or {}).get(ADProgramAnnotator.name)
        if not isinstance(trial, dict) or trial.get("outcome") not in OUTCOMES:
            raise MetricError(
                f"Instance {request_state.instance.id}: there is no annotation '{ADProgramAnnotator.name}' with an "
                f"outcome. Is {ADProgramAnnotator.__name__} among the annotators of the run spec?"
            )
        return [Stat(MetricName(name)).add(value) for name, value in _values(trial)]

    def get_metadata(self) -> list[MetricMetadata]:
        rows = (
            ("solved", "Solved", "Share of answers whose program is right on all workloads.", False),
            ("valid", "Valid", "Share of the programs that ran that are right.", False),
            ("ran", "Ran", "Share of answers whose program ran without error.", False),
            ("failed", "Failed", "Share of answers whose program raised an error or was ended.", True),
            ("timed_out", "Timed out", "Share of answers whose program took too long.", True),
            ("no_program", "No program", "Share of answers without the function asked for.", True),
            ("unanswered", "Unanswered", "Share of requests that failed; nothing else counts them.", True),
            ("relative_error", "Relative error", "Largest difference over the largest number.", True),
            ("speed_over_reference", "Speed", "Time of our NumPy derivative over that of the program.", False),
            ("derivative_time_s", "Derivative (s)", "Median time of the program.", True),
            ("reference_time_s", "Reference (s)", "Median time of our NumPy derivative.", True),
            ("num_timed_runs", "Timed runs", "Calls of a program that were timed.", None),
            (
                "times_disagree",
                "Times disagree",
                "Share of right programs whose own times are not to be believed.",
                True,
            ),
        )
        units = {"derivative_time_s": SECONDS, "reference_time_s": SECONDS}
        return [
            MetricMetadata(name, title, title, text, lower, _GROUP, units.get(name))
            for name, title, text, lower in rows
        ]


def _values(trial: dict[str, Any]) -> list[tuple[str, float]]:
    outcome = trial["outcome"]
    values: list[tuple[str, float]] = [("unanswered", outcome == NO_ANSWER)]
    if outcome == NO_ANSWER:
        return values
    ran = outcome in (VALID, INVALID)
    values += [("solved", outcome == VALID), ("ran", ran)]
    values += [(name, outcome == name) for name in (FAILED, TIMED_OUT, NO_PROGRAM)]
    workloads = trial.get("workloads", [])
    if ran:
        values.append(("valid", outcome == VALID))
        errors = [item.get("relative_error") for item in workloads]
        if errors and None not in errors:
            values.append(("relative_error", max(errors)))
    if outcome == VALID:
        values += _speeds(workloads)
    if trial.get("unprotected"):
        values.append(("code_ran_unprotected", 1))
    return values


def _speeds(workloads: list[dict[str, Any]]) -> list[tuple[str, float]]:
    import statistics

    speed = statistics.geometric_mean([item["reference_ns"] / item["time_ns"] for item in workloads])
    return [
        ("derivative_time_s", workloads[-1]["time_ns"] / _NS_PER_S),
        ("reference_time_s", workloads[-1]["reference_ns"] / _NS_PER_S),
        ("speed_over_reference", speed),
        ("num_timed_runs", min(item["num_runs"] for item in workloads)),
        ("times_disagree", any(item.get("times_disagree") for item in workloads)),
    ]
