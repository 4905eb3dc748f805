"""The comparison of two results on the same instances."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helm.api.frames import to_frame
from helm.common.errors import ConfigError, suggest
from helm.results.comparison.comparability import KINDS
from helm.results.comparison.comparing import CompareOptions, Comparer, ComparisonReport
from helm.results.comparison.task_matching import Subject
from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME

if TYPE_CHECKING:
    from helm.results.run_results import RunResults


class Comparison:
    """The differences between two results, with intervals and p-values; shows itself as a table."""

    def __init__(self, report: ComparisonReport):
        self.report = report
        """All that was found out, as `helm.results.comparison` has it."""

    @property
    def refused(self) -> list[str]:
        """Tasks that were not compared, with the reasons, and what to put into `allow`."""
        return list(self.report.refused)

    def differences(self) -> Any:
        """Return a frame with a row for each task and metric.

        It has the scores of both, their difference (the first minus the second) with its interval, the p-values before and
        after the correction for the number of comparisons, and the verdict: `first`, `second`, `tie`, `identical`, `unknown`
        or `too few`.
        """
        from helm.results.rows import NUMBER, TEXT, WHOLE

        columns = {
            "task": TEXT, "metric": TEXT, "first": TEXT, "second": TEXT, "first_score": NUMBER, "second_score": NUMBER,
            "difference": NUMBER, "low": NUMBER, "high": NUMBER, "p_value": NUMBER, "adjusted_p_value": NUMBER,
            "verdict": TEXT, "instances": WHOLE,
        }  # fmt: skip
        rows = []
        for result in self.report.results:
            for pair in result.pairs:
                difference = pair.comparison.difference
                scores = dict(zip(result.labels, result.scores, strict=True))
                rows.append(
                    {
                        "task": result.task, "metric": result.metric.name, "first": pair.first, "second": pair.second,
                        "first_score": scores[pair.first].value, "second_score": scores[pair.second].value,
                        "difference": difference.value, "low": difference.low, "high": difference.high,
                        "p_value": pair.comparison.p_value, "adjusted_p_value": pair.adjusted_p, "verdict": pair.verdict,
                        "instances": result.instances,
                    }
                )  # fmt: skip
        return to_frame(rows, columns)

    def __repr__(self) -> str:
        from helm.benchmark.presentation.comparison_report import format_reports

        return format_reports([self.report], "table").strip("\n")

    def _repr_html_(self) -> str:
        from helm.api.html import comparison_html

        return comparison_html(self.report)


def compare_runs(
    first: "Sequence[RunResults]",
    second: "Sequence[RunResults]",
    metrics: Sequence[str],
    labels: tuple[str, str] | None,
    allow: set[str],
    alpha: float,
) -> Comparison:
    """Compare the runs of two results; see `Results.compare`."""
    from helm.results.metric_choice import MetricCatalogue, parse_metric_choice

    for kind in allow:
        if kind not in KINDS:
            raise ConfigError(f"allow takes {', '.join(KINDS)}, not '{kind}'.{suggest(kind, KINDS)}")
    if not 0 < alpha < 1:
        raise ConfigError(f"alpha is a number between 0 and 1, not {alpha}.")
    if labels is not None and (isinstance(labels, str) or len(labels) != 2 or labels[0] == labels[1]):
        raise ConfigError(f"labels are two different texts, one for each of the results, not {labels!r}.")
    chosen = [metrics] if isinstance(metrics, str) else list(metrics)
    sides = [_scored(first, "these results"), _scored(second, "the other results")]
    subjects = [Subject(label, runs) for label, runs in zip(labels or _labels(sides), sides, strict=True)]
    options = CompareOptions(metrics=[parse_metric_choice(text) for text in chosen], alpha=alpha, allowed=allow)
    return Comparison(Comparer(options, MetricCatalogue(None)).compare(subjects))


def _scored(runs: "Sequence[RunResults]", which: str) -> "list[RunResults]":
    found = [run for run in runs if PER_INSTANCE_STATS_FILE_NAME in run.file_names]
    if not found:
        raise ConfigError(f"There is nothing to compare: none of {which} has scores.")
    return found


def _labels(sides: "Sequence[list[RunResults]]") -> tuple[str, str]:
    models = [{run.run_spec.adapter_spec.model for run in runs} for runs in sides]
    if all(len(names) == 1 for names in models) and models[0] != models[1]:
        return next(iter(models[0])), next(iter(models[1]))
    return "self", "other"
