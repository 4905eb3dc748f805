"""Metrics for the correctness and speed of kernels that a model wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.errors import MetricError
from helm.common.formats.number_text import SECONDS
from helm.kernels.annotator import KernelAnnotator
from helm.kernels.cheats import CHEATS
from helm.kernels.sandboxed import (
    CHEATED,
    CORRECT,
    FAILED,
    NO_ANSWER,
    NO_PROGRAM,
    OUTCOMES,
    TIMED_OUT,
    UNAVAILABLE,
    WRONG,
)

THRESHOLDS = (1.0, 2.0, 4.0)

_GROUP = "kernel_programming"
_NS_PER_S = 1e9


class KernelProgrammingMetric(Metric):
    """Scores the annotations of `KernelAnnotator`.

    Emits `unanswered` (the request failed) and `unavailable` (a compiler or library is missing), 0 or 1; where one is 1, nothing
    else. Of each other answer, 0 or 1: `fast_P` for each threshold P (its kernel is correct and more than P times as fast as
    the reference), `ran` (it was judged), `cheats`, and the kind of cheat as `cheat_KIND` if there is one; `failed`,
    `timed_out`, `no_program`. Of kernels that ran and did not cheat: `correct`. Of correct ones: `speedup`, the reference's time
    over the kernel's, geometric mean over the sizes; `kernel_time_s` and `reference_kernel_time_s` of the last size. Kernels that
    fail, time out or cheat are not counted as incorrect, and have no speed.

    Args:
        thresholds: the P of `fast_P`, each >= 0.
    """

    def __init__(self, thresholds: Sequence[float] = THRESHOLDS):
        self._thresholds = tuple(thresholds)

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        trial = (request_state.annotations or {}).get(KernelAnnotator.name)
        if not isinstance(trial, dict) or trial.get("outcome") not in OUTCOMES:
            raise MetricError(
                f"Instance {request_state.instance.id}: there is no annotation '{KernelAnnotator.name}' with an outcome. "
                f"Is {KernelAnnotator.__name__} among the annotators of the run spec?"
            )
        return [Stat(MetricName(name)).add(value) for name, value in self._values(trial)]

    def _values(self, trial: dict[str, Any]) -> list[tuple[str, float]]:
        outcome = trial["outcome"]
        values: list[tuple[str, float]] = [
            ("unanswered", outcome == NO_ANSWER),
            ("unavailable", outcome == UNAVAILABLE),
        ]
        if outcome in (NO_ANSWER, UNAVAILABLE):
            return values
        speedup = trial.get("speedup", 0.0) if outcome == CORRECT else 0.0
        values += [(f"fast_{threshold:g}", speedup > threshold) for threshold in self._thresholds]
        values += [("ran", outcome in (CORRECT, WRONG, CHEATED)), ("cheats", outcome == CHEATED)]
        values += [(f"cheat_{kind}", 1) for kind in trial.get("cheats", {}) if kind in CHEATS]
        values += [(name, outcome == name) for name in (FAILED, TIMED_OUT, NO_PROGRAM)]
        if outcome in (CORRECT, WRONG):
            values.append(("correct", outcome == CORRECT))
        if outcome == CORRECT:
            last = trial["timings"][-1]
            values += [
                ("speedup", speedup),
                ("kernel_time_s", last["kernel_ns"] / _NS_PER_S),
                ("reference_kernel_time_s", last["reference_ns"] / _NS_PER_S),
            ]
        if trial.get("unprotected"):
            values.append(("code_ran_unprotected", 1))
        return values

    def get_metadata(self) -> list[MetricMetadata]:
        fast = [
            (
                f"fast_{threshold:g}",
                f"Fast {threshold:g}",
                f"Share of answers whose kernel is correct and more than {threshold:g} times as fast as the reference.",
                False,
            )
            for threshold in self._thresholds
        ]
        rows = (
            *fast,
            ("correct", "Correct", "Share of the kernels that ran and did not cheat that are correct.", False),
            ("speedup", "Speedup", "Time of the reference over that of the kernel.", False),
            ("cheats", "Cheats", "Share of answers whose kernel seems to cheat.", True),
            ("ran", "Ran", "Share of answers whose kernel ran without error.", False),
            ("failed", "Failed", "Share of answers whose kernel does not compile, raises or was ended.", True),
            ("timed_out", "Timed out", "Share of answers whose kernel took too long.", True),
            ("no_program", "No kernel", "Share of answers without the function asked for.", True),
            ("unanswered", "Unanswered", "Share of requests that failed; nothing else counts them.", True),
            ("unavailable", "Unavailable", "Share of answers whose language is missing here; nothing else counts them.", True),
            ("kernel_time_s", "Kernel (s)", "Time of a call of the kernel.", True),
            ("reference_kernel_time_s", "Reference (s)", "Time of a call of the reference.", True),
            *((f"cheat_{kind}", f"Cheat: {kind.replace('_', ' ')}", text, True) for kind, text in CHEATS.items()),
        )  # fmt: skip
        units = {"kernel_time_s": SECONDS, "reference_kernel_time_s": SECONDS}
        return [
            MetricMetadata(name, title, title, text, lower, _GROUP, units.get(name))
            for name, title, text, lower in rows
        ]
