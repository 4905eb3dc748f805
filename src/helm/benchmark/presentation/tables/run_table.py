"""The table that `helm-run` prints at the end: a row per run, or per group of similar runs if there are very many."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from helm.benchmark.presentation.tables.plain_text import metric_text
from helm.common.formats.number_text import format_duration, format_score, format_usd
from helm.common.telemetry.progress import FAILED, SKIPPED, STOPPED, RunProgress
from helm.results.headline import HeadlineScore, RunOutcome
from helm.results.statistics.intervals import combine_means, estimate_from_facts

_MOST_ROWS = 30
"""With more runs than this, runs of the same kind and model share a row."""
_MOST_SHOWN = 60
_NARROWEST_NAME = 16
_GAP = "  "
_HEADS = ("Run", "Model", "Metric", "Score", "Answered", "Cost", "Time")
_NO_VALUE = "-"


@dataclass
class _Row:
    """One run, or several of the same kind."""

    name: str
    model: str
    runs: list[RunProgress]
    outcomes: list[RunOutcome]


def run_table(runs: Sequence[RunProgress], outcomes: Mapping[str, RunOutcome], width: int | None = None) -> str:
    """Return the table with its legend and a final newline; empty if no run has results.

    Args:
        runs: the command's runs, in order; those that never started are left out.
        outcomes: maps the name of each run with results to its outcome.
        width: width of the terminal. None means unlimited.
    """
    if not outcomes:
        return ""
    ended = [run for run in runs if run.name in outcomes or run.state in (FAILED, STOPPED)]
    rows = [_row_of(run, outcomes.get(run.name)) for run in ended]
    if len(rows) > _MOST_ROWS:
        rows = _gather(rows)
    shown = rows[:_MOST_SHOWN]
    columns = [list(column) for column in zip(*[_cells(row) for row in shown], strict=True)]
    if not any(run.has_paid and run.cost_usd is not None for row in shown for run in row.runs):
        columns[_HEADS.index("Cost")] = []
    lines = _format(columns, width)
    if len(rows) > len(shown):
        lines.append(f"and {len(rows) - len(shown)} more; helm-summarize shows all of them")
    key = _key(shown)
    return "\n".join([*lines, *(["", key] if key else [])]) + "\n"


def warnings_text(runs: Sequence[RunProgress], outcomes: Mapping[str, RunOutcome]) -> str:
    """Return a line for each run whose answers show that it measures the wrong thing; empty if there is none."""
    found = [
        (run.name, outcomes[run.name].warning) for run in runs if run.name in outcomes and outcomes[run.name].warning
    ]
    lines = [f"warning: {name}: {warning}" for name, warning in found[:_MOST_SHOWN]]
    if len(found) > len(lines):
        lines.append(f"warning: {len(found) - len(lines)} more runs have such answers; see the viewer")
    return "".join(f"{line}\n" for line in lines)


def _row_of(run: RunProgress, outcome: RunOutcome | None) -> _Row:
    name, model = split_run_name(run.name)
    if outcome is None:
        return _Row(name, model, [run], [])
    return _Row(name, outcome.model or model, [run], [outcome])


def split_run_name(run_name: str) -> tuple[str, str]:
    """Split the name into the name without its model, and the model as written in the name."""
    found = re.search(r"(?:^|[:,])model=([^,]*)", run_name)
    if found is None:
        return run_name, ""
    rest = (run_name[: found.start()] + run_name[found.end() :]).strip(":,")
    if ":" not in rest and "," in rest:  # the model was the first argument
        rest = rest.replace(",", ":", 1)
    return rest, found[1]


def _gather(rows: Sequence[_Row]) -> list[_Row]:
    """Group runs by kind (the name before `:`), model and metric into rows; failed ones stay separate."""
    found: dict[tuple[str, ...], _Row] = {}
    for row in rows:
        metrics = [score.metric for outcome in row.outcomes for score in outcome.scores]
        kind = row.name.partition(":")[0] if row.outcomes else row.name
        into = found.setdefault((kind, row.model, *metrics), _Row(row.name, row.model, [], []))
        if into.runs:
            into.name = kind
        into.runs += row.runs
        into.outcomes += row.outcomes
    for row in found.values():
        if len(row.runs) > 1:
            row.name += f" ({len(row.runs)} runs)"
    return list(found.values())


def _cells(row: _Row) -> list[str]:
    seconds = [run.seconds for run in row.runs]
    known = [value for value in seconds if value is not None]
    costs = [run.cost_usd for run in row.runs]
    cost = sum(value for value in costs if value is not None)
    asked = sum(outcome.asked for outcome in row.outcomes)
    answered = sum(outcome.answered for outcome in row.outcomes)
    metrics, scores = _score_cells(row.outcomes)
    if not row.outcomes:
        report = row.runs[0].report()
        scores = f"{report.state} at {report.stage}" if report.stage else report.state
    return [
        row.name,
        row.model,
        metrics,
        scores,
        f"{answered:,} of {asked:,}" if asked else _NO_VALUE,
        format_usd(cost) if None not in costs else _NO_VALUE,
        "kept"
        if all(run.state == SKIPPED for run in row.runs)
        else format_duration(sum(known))
        if known
        else _NO_VALUE,
    ]


def _score_cells(outcomes: Sequence[RunOutcome]) -> tuple[str, str]:
    """Return names and values, averaged over several runs."""
    if not outcomes or not outcomes[0].scores:
        return _NO_VALUE, _NO_VALUE
    names, values = [], []
    for index, score in enumerate(outcomes[0].scores):
        members = [outcome.scores[index] for outcome in outcomes]
        label = score.label
        names.append(f"{metric_text(label.name, label.unit)} {label.arrow}".rstrip())
        mean = sum(member.value for member in members) / len(members)
        values.append(format_score(mean, label.unit, _reach(members)))
    return ", ".join(names), ", ".join(values)


def _reach(members: Sequence[HeadlineScore]) -> float | None:
    facts = [member.facts for member in members if member.facts is not None]
    combined = combine_means([(1.0, each) for each in facts]) if len(facts) == len(members) else None
    return estimate_from_facts(combined).reach if combined is not None else None


def _key(rows: Sequence[_Row]) -> str:
    scores = [score for row in rows for outcome in row.outcomes for score in outcome.scores]
    remarks = []
    directions = {score.label.lower_is_better for score in scores}
    arrows = [text for value, text in ((False, "↑ more is better"), (True, "↓ less is better")) if value in directions]
    remarks += [", ".join(arrows)] if arrows else []
    if any(_reach([score]) for score in scores):
        remarks.append("± reach of the 95% interval")
    if any(len(row.outcomes) > 1 for row in rows):
        remarks.append("scores of several runs are means, times and costs are sums")
    return "; ".join(remarks)


def _format(columns: list[list[str]], width: int | None) -> list[str]:
    """Return the lines: names left-aligned, numbers right-aligned. Long names are shortened in the middle."""
    shown = [(head, column) for head, column in zip(_HEADS, columns, strict=True) if column]
    widths = [max(map(_width, [head, *column])) for head, column in shown]
    if width is not None:
        for index in (0, 1):
            spare = sum(widths) + len(_GAP) * (len(widths) - 1) - width
            if spare > 0:
                widths[index] = max(min(widths[index], _NARROWEST_NAME), widths[index] - spare)
    table = [[head for head, _ in shown], ["-" * each for each in widths]]
    table += [list(row) for row in zip(*[column for _, column in shown], strict=True)]
    return [
        _GAP.join(
            _fitted(cell, size, to_the_right=index >= 3)
            for index, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _fitted(text: str, size: int, to_the_right: bool) -> str:
    """Return the text with spaces up to the size; if it is too long, with an ellipsis in its middle."""
    if _width(text) > size:
        head = size * 2 // 3
        text = f"{text[:head]}…{text[len(text) - (size - head - 1) :]}"
    space = " " * (size - _width(text))
    return space + text if to_the_right else text + space
