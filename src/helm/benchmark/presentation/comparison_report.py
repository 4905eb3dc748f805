"""The report of `helm-compare`, for people and for programs."""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from helm.benchmark.presentation.tables.plain_text import printable
from helm.benchmark.presentation.tables.terminal_tables import defuse
from helm.common.formats.number_text import SECONDS, format_duration, format_number, format_ratio
from helm.results.comparison.comparing import ComparisonReport, OverallResult, PairResult, TaskResult, WorkloadRatios
from helm.results.metric_choice import MetricChoice
from helm.results.statistics.intervals import Estimate
from helm.results.statistics.paired import fewest_pairs

# The smallest p-value that papers usually print in full.
_COMMON_P = 0.001
TOO_FEW = "too few"


def format_p(p: float | None) -> str:
    """Format a p-value with three significant digits, or as `< 0.001`."""
    if p is None:
        return "-"
    return f"< {_COMMON_P}" if p < _COMMON_P else f"{p:.3g}"


def format_interval(low: float | None, high: float | None, signed: bool = False) -> str:
    """Format an interval as `0.41 to 0.52`; `-` if there is none."""
    if low is None or high is None:
        return "-"
    return f"{_number(low, signed)} to {_number(high, signed)}"


def _number(value: float, signed: bool = False) -> str:
    text = f"{value:.3g}" if abs(value) < 1000 else format_number(value)
    return f"+{text}" if signed and value > 0 else text


def _score(value: float, metric: MetricChoice) -> str:
    return format_duration(value) if metric.unit == SECONDS else _number(value)


def _score_interval(estimate: Estimate, metric: MetricChoice) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{_score(estimate.low, metric)} to {_score(estimate.high, metric)}"


def _title(result: TaskResult) -> str:
    metric = result.metric
    of = f" ({metric.split})" if metric.split else ""
    worst = f", worst case over {metric.perturbation}" if metric.perturbation else ""
    text = f"{printable(result.task)}: {printable(metric.name)}{of}{worst}"
    what = "instance" if result.instances == 1 else "instances"
    sources = f" from {result.clusters} sources" if result.clusters < result.instances else ""
    arrow = f" {metric.arrow}" if metric.arrow else ""
    return f"{text}{arrow}, {result.instances} {what}{sources}"


def _difference(value: float, is_ratio: bool) -> str:
    return format_ratio(math.exp(value)) if is_ratio else _number(value, signed=True)


def _difference_interval(estimate: Estimate, is_ratio: bool) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    if is_ratio:
        return f"{format_ratio(math.exp(estimate.low))} to {format_ratio(math.exp(estimate.high))}"
    return format_interval(estimate.low, estimate.high, signed=True)


def describe_verdict(pair: PairResult) -> str:
    """Return `model-a is better`, `identical`, or `tie` with the smallest difference that could have been shown."""
    if pair.verdict in ("identical", "unknown", TOO_FEW):
        return pair.verdict
    if pair.verdict == "tie":
        seen = pair.comparison.minimum_detectable
        if seen is None:
            return "tie"
        shown = format_ratio(math.exp(seen)) if pair.comparison.is_ratio else _number(seen)
        return f"tie (seen from {shown})"
    return f"{printable(pair.first if pair.verdict == 'first' else pair.second)} is better"


def _score_rows(result: TaskResult) -> Iterator[list[str]]:
    for label, estimate in zip(result.labels, result.scores, strict=True):
        metric = result.metric
        yield [printable(label), _score(estimate.value, metric), _score_interval(estimate, metric)]


def _pair_rows(result: TaskResult) -> Iterator[list[str]]:
    for pair in result.pairs:
        found = pair.comparison
        yield [
            f"{printable(pair.first)} - {printable(pair.second)}"
            if not found.is_ratio
            else f"{printable(pair.first)} / {printable(pair.second)}",
            _difference(found.difference.value, found.is_ratio),
            _difference_interval(found.difference, found.is_ratio),
            f"{found.wins}/{found.ties}/{found.losses}",
            format_p(found.p_value),
            format_p(pair.adjusted_p),
            describe_verdict(pair),
        ]


def _detail_rows(result: TaskResult) -> Iterator[list[str]]:
    for pair in result.pairs:
        found = pair.comparison
        seen = found.minimum_detectable
        yield [
            f"{printable(pair.first)}, {printable(pair.second)}",
            format_p(found.mcnemar_p),
            format_p(found.t_p),
            format_p(found.wilcoxon_p),
            "-" if found.effect_size is None else _number(found.effect_size, signed=True),
            "-" if seen is None else format_ratio(math.exp(seen)) if found.is_ratio else _number(seen),
        ]


def _workload_rows(workloads: Sequence[WorkloadRatios], confidence: float) -> Iterator[list[str]]:
    for workload in workloads:
        row = [printable(workload.name)]
        for median, ratio in zip(workload.medians, workload.ratios, strict=True):
            row.append("-" if median is None else format_duration(median.value))
            if ratio is not None:
                row.append(format_ratio(ratio.value))
                row.append(
                    "-"
                    if ratio.low is None or ratio.high is None
                    else f"{format_ratio(ratio.low)} to {format_ratio(ratio.high)}"
                )
            elif workload.ratios.index(ratio) or median is None:
                row += ["-", "-"]
        yield row


class _Writer:
    """Writes tables and lines as text or as Markdown."""

    def __init__(self, is_markdown: bool):
        self._is_markdown = is_markdown
        self._parts: list[str] = []

    def title(self, text: str) -> None:
        self._parts.append(f"### {_escape(text)}" if self._is_markdown else text)

    def lines(self, lines: Sequence[str]) -> None:
        if lines:
            prefix = "- " if self._is_markdown else ""
            self._parts.append("\n".join(prefix + (_escape(line) if self._is_markdown else line) for line in lines))

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> None:
        if not rows:
            return
        if self._is_markdown:
            lines = ["| " + " | ".join(map(_escape, heads)) + " |"]
            lines.append("|" + "|".join(" --- " if i in left else " ---: " for i in range(len(heads))) + "|")
            lines += ["| " + " | ".join(map(_escape, row)) + " |" for row in rows]
            self._parts.append("\n".join(lines))
            return
        from tabulate import tabulate

        align = ["left" if i in left else "right" for i in range(len(heads))]
        self._parts.append(tabulate(rows, heads, tablefmt="simple", disable_numparse=True, colalign=align))

    def finish(self) -> str:
        return "\n\n".join(self._parts) + "\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def format_report(report: ComparisonReport, is_markdown: bool = False, with_details: bool = False) -> str:
    """Return the report for people: scores, differences, and conclusions."""
    writer = _Writer(is_markdown)
    percent = f"{100 * report.confidence:g}% interval"
    for result in report.results:
        writer.title(_title(result))
        center = "Geometric mean" if result.metric.is_ratio else "Score"
        writer.table(["Subject", center, percent], list(_score_rows(result)))
        heads = ["Compared", "Ratio" if result.metric.is_ratio else "Difference", percent, "Better/equal/worse"]
        writer.table([*heads, "p", "p (Holm)", "Result"], list(_pair_rows(result)), left=(0, 6))
        if with_details:
            heads = ["Compared", "Exact McNemar p", "t test p", "Wilcoxon p", "Effect size d", "Detectable"]
            writer.table(heads, list(_detail_rows(result)))
        if result.workloads:
            heads = ["Evaluation", printable(result.labels[0])]
            for label in result.labels[1:]:
                heads += [printable(label), "Ratio", percent]
            writer.table(heads, list(_workload_rows(result.workloads, report.confidence)))
        lines = [printable(note) for note in result.notes]
        if result.friedman_p is not None:
            p = format_p(result.friedman_p)
            lines.append(f"Whether any of them differs: p {p if p.startswith('<') else f'= {p}'} (Friedman)")
        writer.lines(lines)
    _add_overall(writer, report, percent)
    writer.lines(_remarks(report, with_details))
    for title, lines in [("Not compared", report.refused), ("Not done by all", report.unmatched)]:
        if lines:
            writer.title(title)
            writer.lines([printable(line) for line in lines])
    return writer.finish()


def _add_overall(writer: _Writer, report: ComparisonReport, percent: str) -> None:
    if report.overall:
        is_ratio = report.results[0].metric.is_ratio
        writer.title(f"All {len({result.task for result in report.results})} tasks, each counting the same")
        rows = []
        for pair in report.overall:
            sign = "/" if is_ratio else "-"
            rows.append([
                f"{printable(pair.first)} {sign} {printable(pair.second)}",
                _difference(pair.difference.value, is_ratio), _difference_interval(pair.difference, is_ratio),
                format_p(pair.p_value), format_p(pair.adjusted_p), _overall_verdict(pair),
            ])  # fmt: skip
        heads = ["Compared", "Ratio" if is_ratio else "Difference", percent, "p", "p (Holm)", "Result"]
        writer.table(heads, rows, left=(0, 5))
    if report.standings:
        writer.title("Win rates")
        rows = []
        for label, standing in zip(report.labels, report.standings, strict=True):
            rate, own = standing.win_rate, standing.instance_win_rate
            rows.append([
                printable(label), _number(rate.value), format_interval(rate.low, rate.high),
                _number(own.value), format_interval(own.low, own.high), f"{100 * standing.best_share:.0f}%",
            ])  # fmt: skip
        writer.table(["Subject", "By task", percent, "By instance", percent, "Sure of first place"], rows)


def _overall_verdict(pair: OverallResult) -> str:
    if pair.verdict in ("tie", TOO_FEW):
        return pair.verdict
    return f"{printable(pair.first if pair.verdict == 'first' else pair.second)} is better"


def _remarks(report: ComparisonReport, with_details: bool) -> list[str]:
    if not report.results:
        return []
    count = sum(len(result.pairs) for result in report.results)
    tests = sorted({pair.comparison.test for result in report.results for pair in result.pairs})
    lines = [f"p: {'; '.join(tests)}. Holm: corrected for {count} comparison{'s' if count > 1 else ''}."]
    verdicts = {pair.verdict for result in report.results for pair in result.pairs}
    if "tie" in verdicts:
        lines.append(
            "tie: no difference is shown, which is not the same as none. seen from: a true difference that would be found "
            "with a probability of 80% (before correction)."
        )
    if "unknown" in verdicts:
        lines.append("unknown: a single instance cannot tell.")
    if TOO_FEW in verdicts | {pair.verdict for pair in report.overall}:
        lines.append(
            f"too few: fewer than {fewest_pairs(1 - report.confidence)} instances (or sources of them) show no difference at "
            "this level, however clear it looks."
        )
    pairs = [pair.comparison for result in report.results for pair in result.pairs]
    if with_details and all(found.wilcoxon_p is None for found in pairs) and any(f.wins + f.losses for f in pairs):
        lines.append("Wilcoxon's test needs scipy: pip install 'helm-evals[statistics]'.")
    return lines


CSV_COLUMNS = (
    "task", "metric", "split", "perturbation", "instances", "sources", "first", "second", "first_score", "first_low",
    "first_high", "second_score", "second_low", "second_high", "scale", "difference", "difference_low",
    "difference_high", "standard_error", "better", "equal", "worse", "test", "p", "p_holm", "p_mcnemar", "p_t",
    "p_wilcoxon", "effect_size", "minimum_detectable", "result",
)  # fmt: skip


def comparison_rows(report: ComparisonReport) -> Iterator[dict[str, Any]]:
    """Return one row per pair and task, with numbers in full precision; ratios and their intervals are not logarithms."""
    for result in report.results:
        by_label = dict(zip(result.labels, result.scores, strict=True))
        for pair in result.pairs:
            found, first, second = pair.comparison, by_label[pair.first], by_label[pair.second]
            back = _exp if found.is_ratio else _same
            yield dict(zip(CSV_COLUMNS, (
                result.task, result.metric.name, result.metric.split, result.metric.perturbation, result.instances,
                result.clusters, pair.first, pair.second, first.value, first.low, first.high, second.value, second.low,
                second.high, "ratio" if found.is_ratio else "difference", back(found.difference.value),
                back(found.difference.low), back(found.difference.high), found.difference.standard_error, found.wins,
                found.ties, found.losses, found.test, found.p_value, pair.adjusted_p, found.mcnemar_p, found.t_p,
                found.wilcoxon_p, found.effect_size, back(found.minimum_detectable), pair.verdict,
            ), strict=True))  # fmt: skip


def _exp(value: float | None) -> float | None:
    return None if value is None else math.exp(value)


def _same(value: float | None) -> float | None:
    return value


def format_reports(reports: Sequence[ComparisonReport], output_format: str, with_details: bool = False) -> str:
    """Format the reports as `table`, `markdown`, `csv` or `json`. In JSON, ratios are differences of logarithms."""
    if output_format == "csv":
        return _format_csv(reports)
    if output_format == "json":
        return json.dumps([asdict(report) for report in reports], indent=2) + "\n"
    is_markdown = output_format == "markdown"
    start = "" if is_markdown else "\n"
    return start + "\n".join(format_report(report, is_markdown, with_details) for report in reports)


def _format_csv(reports: Sequence[ComparisonReport]) -> str:
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in (row for report in reports for row in comparison_rows(report)):
        writer.writerow(["" if v is None else defuse(printable(v)) if isinstance(v, str) else v for v in row.values()])
    return output.getvalue()
