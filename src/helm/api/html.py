"""Results as HTML for notebooks: tables with small plots, in the colours of the page, without scripts and style sheets.

All texts may come from models, files and other people, so each is escaped; nothing else goes into attributes but numbers.
"""

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from helm.common.formats.number_text import format_duration, format_score, format_usd
from helm.results.comparison.comparing import ComparisonReport

_WIDTH, _HEIGHT, _MARGIN = 160, 16, 4
_LONGEST_TEXT = 120
_CELL = 'style="text-align:left;padding:2px 10px;white-space:nowrap"'
_NUMBER = 'style="text-align:right;padding:2px 10px;white-space:nowrap"'
# Colours that are legible on white and on black.
_ACCENT, _WARNING = "#3d85c6", "#cc4125"
_HEADS = ("Task", "Model", "Metric", "Score", "", "Answered", "Cost", "Time")
_MOST_ROWS = 200


def _escaped(text: Any) -> str:
    shown = str(text)
    shown = shown if len(shown) <= _LONGEST_TEXT else f"{shown[: _LONGEST_TEXT - 1]}…"
    return html.escape("".join(char if char.isprintable() else "�" for char in shown), quote=True)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], first_number: int) -> str:
    """Return a table; cells are HTML already, and those from `first_number` on are aligned to the right."""
    style = [_CELL if i < first_number else _NUMBER for i in range(len(heads))]
    head = "".join(f"<th {style[i]}>{_escaped(text)}</th>" for i, text in enumerate(heads))
    lines = ["".join(f"<td {style[i]}>{cell}</td>" for i, cell in enumerate(row)) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<table style="border-collapse:collapse;color:inherit;background:transparent">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _plot(
    value: float | None, low: float | None, high: float | None, start: float, end: float, zero: bool = False
) -> str:
    """Return a small SVG: a dot with its interval on a line from `start` to `end`; with `zero`, a mark there."""
    if value is None or not math.isfinite(value) or end <= start:
        return ""

    def place(number: float) -> float:
        share = min(1.0, max(0.0, (number - start) / (end - start)))
        return round(_MARGIN + share * (_WIDTH - 2 * _MARGIN), 1)

    middle = _HEIGHT / 2
    label = f"{value:.4g}" + (f", interval {low:.4g} to {high:.4g}" if low is not None and high is not None else "")
    parts = [
        f'<line x1="{_MARGIN}" y1="{middle}" x2="{_WIDTH - _MARGIN}" y2="{middle}" stroke="currentColor" '
        'stroke-opacity="0.25"/>'
    ]
    if zero:
        parts.append(
            f'<line x1="{place(0)}" y1="2" x2="{place(0)}" y2="{_HEIGHT - 2}" stroke="currentColor" stroke-opacity="0.5"/>'
        )
    if low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
        parts.append(
            f'<line x1="{place(low)}" y1="{middle}" x2="{place(high)}" y2="{middle}" stroke="{_ACCENT}" stroke-width="3"/>'
        )
    parts.append(f'<circle cx="{place(value)}" cy="{middle}" r="4" fill="{_ACCENT}"/>')
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _scales(rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return start and end of the line of each metric: 0 to 1 if all values are in it."""
    found: dict[str, tuple[float, float]] = {}
    for row in rows:
        numbers = [row.get(key) for key in ("score", "low", "high")]
        values = [value for value in numbers if value is not None and math.isfinite(value)]
        start, end = found.get(row.get("metric") or "", (0.0, 1.0))
        found[row.get("metric") or ""] = (min([start, *values]), max([end, *values]))
    return found


def results_html(rows: Sequence[Mapping[str, Any]], failures: Sequence[Any], warnings: Mapping[str, str]) -> str:
    """Return the scores as a table with a plot for each, and the warnings and failures below it."""
    scales = _scales(rows)
    lines = []
    for row in rows[:_MOST_ROWS]:
        score, low, high = row.get("score"), row.get("low"), row.get("high")
        reach = None if score is None or low is None or high is None else max(score - low, high - score)
        asked = row.get("asked")
        answered = f"{row['answered']:,} of {asked:,}" if asked else "-"
        if asked and row["answered"] < asked:
            answered = f'<span style="color:{_WARNING}">{answered}</span>'
        seconds, cost = row.get("seconds"), row.get("cost")
        lines.append(
            [
                _escaped(row["task"]),
                _escaped(row["model"]),
                _escaped(row.get("metric") or "-"),
                _escaped(row["state"] if score is None else format_score(score, None, reach)),
                _plot(score, low, high, *scales[row.get("metric") or ""]),
                answered,
                "-" if cost is None else _escaped(format_usd(cost)),
                "-" if seconds is None else _escaped(format_duration(seconds)),
            ]
        )
    table = _table(_HEADS, lines, 3)
    more = f"<p>and {len(rows) - _MOST_ROWS} more</p>" if len(rows) > _MOST_ROWS else ""
    failed = "".join(
        f'<li><b style="color:{_WARNING}">{_escaped(failure.state)}</b> {_escaped(failure.run)}: {_escaped(failure.message)}</li>'
        for failure in failures[:_MOST_ROWS]
    )
    warned = "".join(
        f'<li><b style="color:{_WARNING}">warning</b> {_escaped(name)}: {_escaped(text)}</li>'
        for name, text in list(warnings.items())[:_MOST_ROWS]
    )
    return f"<div>{table}{more}{f'<ul>{warned}{failed}</ul>' if warned or failed else ''}</div>"


def comparison_html(report: ComparisonReport) -> str:
    """Return the differences as a table with a plot for each, and what was not compared below it."""
    from helm.benchmark.presentation.comparison_report import format_interval, format_p

    pairs = [(result, pair) for result in report.results for pair in result.pairs]
    largest = 0.0
    for _, pair in pairs:
        difference = pair.comparison.difference
        ends = (difference.value, difference.low or 0.0, difference.high or 0.0)
        largest = max(largest, *(abs(end) for end in ends if math.isfinite(end)), 0.0)
    lines = []
    for result, pair in pairs:
        difference = pair.comparison.difference
        better = {"first": f"{pair.first} is better", "second": f"{pair.second} is better"}
        lines.append(
            [
                _escaped(result.task),
                _escaped(result.metric.name),
                _escaped(better.get(pair.verdict, pair.verdict)),
                _escaped(f"{difference.value:+.3g} ({format_interval(difference.low, difference.high, True)})"),
                _plot(difference.value, difference.low, difference.high, -(largest or 1), largest or 1, zero=True),
                _escaped(format_p(pair.adjusted_p)),
                f"{result.instances:,}",
            ]
        )
    table = _table(("Task", "Metric", "Verdict", "Difference", "", "p", "Instances"), lines, 3)
    title = f"<p>{_escaped(report.labels[0])} minus {_escaped(report.labels[1])}</p>"
    notes = "".join(f"<li>{_escaped(text)}</li>" for text in [*report.refused, *report.unmatched])
    return f"<div>{title}{table}{f'<ul>{notes}</ul>' if notes else ''}</div>"
