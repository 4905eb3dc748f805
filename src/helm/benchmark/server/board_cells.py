"""Makes the cells of a leaderboard from runs."""

from collections.abc import Mapping
from typing import Any

from helm.benchmark.server.board_parts import Cell
from helm.benchmark.server.board_scope import Scope
from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.viewer import find_answered, find_coverage
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_summary import find_interval, find_main_stat, read_estimate
from helm.results.metric_names import is_ratio_metric


def make_cell(entry: RunEntry) -> Cell:
    """Return the main score of a run."""
    cell = Cell(entry)
    summary, kind = entry.summary, entry.subject_kind
    main = summary.get("main") or []
    shown = _shown_main(entry)
    if shown is not None:
        cell.name, cell.value, cell.unit = shown["name"], shown["value"], entry.unit(shown["name"])
        intervals = (entry.facts or {}).get("main") or []
        index = main.index(shown)
        if index < len(intervals) and intervals[index] is not None:
            cell.estimate = read_estimate(intervals[index], cell.value)
        if main[0]["name"] == kind.share_score and main[0]["value"] < 1:
            cell.note = f"{100 * main[0]['value']:.0f}% solved"
    cell.answered = find_answered(entry)
    coverage = find_coverage(entry)
    if coverage and coverage["asked"] and coverage["answered"] < coverage["asked"] and kind.answered_word:
        cell.note = join_notes(cell.note, f"{100 * coverage['answered'] // coverage['asked']}% {kind.answered_word}")
    if is_failed(entry):
        cell.note = join_notes(cell.note, "failed")
    elif summary.get("problem"):
        cell.note = join_notes(cell.note, "damaged")
    elif summary.get("status") == "unfinished":
        cell.note = join_notes(cell.note, "unfinished")
    return cell


def make_scoped_cell(entry: RunEntry, scope: Scope | None) -> tuple[Cell, Mapping[str, Any] | None]:
    """Return the main score of a run with its properties: that which the schema of the board names, if it names another."""
    cell, shown = make_cell(entry), _shown_main(entry)
    candidates = [] if scope is None or entry.subject_kind.main_scores else scope.list_main_metrics(entry)
    if scope is None or scope.read_stats is None or not candidates or cell.name == candidates[0][0]:
        return cell, shown
    stats, intervals = scope.read_stats(entry.path)
    found = next((row for name, split in candidates if (row := find_main_stat(stats, name, split)) is not None), None)
    if found is None:
        cell.is_substitute = True
        return cell, shown
    if found[0] == cell.name:
        return cell, shown
    known = scope.schema.name_to_metric.get(found[0])
    cell.name, cell.value, cell.unit = found[0], found[5], entry.unit(found[0])
    score = {"name": found[0], "split": found[1], "sub_split": found[2], "value": found[5]}
    interval = find_interval(intervals, score)
    cell.estimate = None if interval is None else read_estimate(interval, found[5])
    lower_is_better = None if known is None else known.lower_is_better
    return cell, {"lower_is_better": lower_is_better, "is_ratio": is_ratio_metric(found[0])}


def _shown_main(entry: RunEntry) -> Mapping[str, Any] | None:
    """Return the main score that tables show: for tools, the time of the derivative rather than its correctness."""
    found = entry.summary.get("main") or []
    return found[entry.subject_kind.shown_score] if found else None


def join_notes(*notes: str) -> str:
    return ", ".join(filter(None, notes))
