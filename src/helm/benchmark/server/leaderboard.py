"""The leaderboards of a suite: subjects by tasks, one table for each kind of subject."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence

from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.results.index_folder import RunEntry
from helm.results.index_summary import COMPILER, KINDS, MODEL, TOOL, IntervalRow
from helm.results.statistics.intervals import WILSON, Estimate, MeanFacts, estimate_geometric_mean

TITLES = {MODEL: "Language models", TOOL: "AD tools", COMPILER: "Compilers"}
SUBJECTS = {MODEL: "Model", TOOL: "Tool", COMPILER: "Policy"}
_BY_SUBJECT = "subject"


@dataclass
class Cell:
    """A score of a subject on a task."""

    entry: RunEntry

    name: str = ""
    """Of the metric."""

    value: Optional[float] = None

    interval: Optional[IntervalRow] = None

    is_best: bool = False

    is_tied: bool = False
    """Not the best, but no difference from it is shown."""

    note: str = ""
    """What else is to be known: `3 of 4 solved`, `90% answered`."""


@dataclass
class Column:
    """A task."""

    task: str

    metric: str = ""

    lower_is_better: Optional[bool] = None


@dataclass
class Row:
    """A subject."""

    subject: str

    cells: Dict[str, Cell] = field(default_factory=dict)

    overall: Optional[Estimate] = None
    """Mean win rate; for compilers the geometric mean."""

    is_tied: bool = False
    """Not the best overall, but the intervals of the two overlap."""


@dataclass
class Board:
    """The table of one kind of subject."""

    kind: str

    title: str

    subject_title: str

    overall_title: str

    overall_help: str

    columns: List[Column] = field(default_factory=list)

    rows: List[Row] = field(default_factory=list)


def leaderboard(viewer: Viewer, query: Query, path: str) -> Page:
    """The first page."""
    suite, entries = viewer.suite_entries(query)
    sort = query.get("sort")
    boards = [make_board(kind, [entry for entry in entries if entry.kind == kind], sort) for kind in KINDS]
    counts = {
        status: sum(e.summary.get("status") == status for e in entries) for status in ("done", "failed", "unfinished")
    }
    values = {
        "boards": [board for board in boards if board.rows], "counts": counts, "num_runs": len(entries), "sort": sort,
        "has_tables": _has_tables(viewer, suite),
    }  # fmt: skip
    return Page("leaderboard.html", values, viewer.refresh_while_busy())


def _has_tables(viewer: Viewer, suite: str) -> bool:
    from helm.benchmark.server.table_page import has_tables

    return has_tables(viewer, suite)


def make_board(kind: str, entries: Sequence[RunEntry], sort: str = "") -> Board:
    """The leaderboard of runs of one kind. `sort`: a task, `subject` or `overall`; the latter by default."""
    is_compiler = kind == COMPILER
    board = Board(
        kind,
        TITLES[kind],
        SUBJECTS[kind],
        "Geometric mean" if is_compiler else "Mean win rate",
        "Over all programs of the suite; only where all have a value"
        if is_compiler
        else "Share of the other subjects that are beaten, ties half, mean over tasks",
    )
    columns: Dict[str, Column] = {}
    rows: Dict[str, Row] = {}
    for entry in entries:
        row = rows.setdefault(entry.subject, Row(entry.subject))
        column = columns.setdefault(entry.task, Column(entry.task))
        cell = make_cell(entry)
        known = row.cells.get(entry.task)
        if known is not None and known.value is not None:
            if cell.value is None:
                continue
            cell.note = _join(cell.note, "one of several runs")
        row.cells[entry.task] = cell
        if cell.name and not column.metric:
            shown = _shown_main(entry.summary)
            column.metric, column.lower_is_better = cell.name, bool(shown and shown.get("lower_is_better"))
    board.columns, board.rows = list(columns.values()), list(rows.values())
    for column in board.columns:
        _mark_best(column, board.rows)
    _add_overall(board)
    _sort(board, sort)
    return board


def _shown_main(summary: Mapping[str, Any]) -> Optional[Mapping[str, Any]]:
    """The main score that tables show: for tools how long the derivative took, rather than whether it was right."""
    found = summary.get("main") or []
    return found[-1] if summary.get("kind") == TOOL and found else found[0] if found else None


def make_cell(entry: RunEntry) -> Cell:
    """The main score of a run."""
    cell = Cell(entry)
    summary = entry.summary
    main = summary.get("main") or []
    shown = _shown_main(summary)
    if shown is not None:
        cell.name, cell.value = shown["name"], shown["value"]
        intervals = (entry.facts or {}).get("main") or []
        index = main.index(shown)
        cell.interval = intervals[index] if index < len(intervals) else None
        if entry.kind == TOOL and main[0]["name"] == "solved" and main[0]["value"] < 1:
            cell.note = f"{100 * main[0]['value']:.0f}% solved"
    coverage = find_coverage(entry)
    if coverage and coverage["asked"] and coverage["answered"] < coverage["asked"] and entry.kind != TOOL:
        word = "answered" if entry.kind == MODEL else "worked"
        cell.note = _join(cell.note, f"{100 * coverage['answered'] // coverage['asked']}% {word}")
    if summary.get("status") == "failed":
        cell.note = _join(cell.note, "failed")
    elif summary.get("problem"):
        cell.note = _join(cell.note, "damaged")
    elif summary.get("status") == "unfinished":
        cell.note = _join(cell.note, "unfinished")
    return cell


def find_coverage(entry: RunEntry) -> Optional[Mapping[str, Any]]:
    """From the run's `coverage.json`, or counted anew for runs that have none."""
    return entry.summary.get("coverage") or (entry.facts or {}).get("coverage")


def _join(*notes: str) -> str:
    return ", ".join(filter(None, notes))


def _values(column: Column, rows: Sequence[Row]) -> List[float]:
    cells = (row.cells.get(column.task) for row in rows)
    return [cell.value for cell in cells if cell is not None and cell.value is not None and cell.name == column.metric]


def _mark_best(column: Column, rows: Sequence[Row]) -> None:
    values = _values(column, rows)
    if len(values) < 2 or min(values) == max(values):
        return
    from helm.results.statistics.ranking import is_told_apart

    best = min(values) if column.lower_is_better else max(values)
    cells = [cell for row in rows if (cell := row.cells.get(column.task)) is not None and cell.name == column.metric]
    for cell in cells:
        cell.is_best = cell.value == best
    of_best = next(_facts(cell, column) for cell in cells if cell.is_best)
    for cell in cells:
        facts = _facts(cell, column)
        if facts is not None and of_best is not None and not cell.is_best and facts.variance is not None:
            cell.is_tied = of_best.variance is not None and not is_told_apart(facts, of_best)


def _add_overall(board: Board) -> None:
    if board.kind == COMPILER:
        for row in board.rows:
            values = [cell.value for cell in row.cells.values() if cell.value is not None]
            is_complete = len(values) == len(board.columns) > 1 and min(values) > 0
            row.overall = estimate_geometric_mean(values) if is_complete else None
    else:
        from helm.results.statistics.ranking import estimate_win_rates

        columns = tuple(
            (tuple(_facts(row.cells.get(column.task), column) for row in board.rows), bool(column.lower_is_better))
            for column in board.columns
        )
        for row, estimate in zip(board.rows, estimate_win_rates(columns), strict=True):
            row.overall = estimate
    known = [row.overall for row in board.rows if row.overall is not None and row.overall.low is not None]
    best = max(known, key=lambda estimate: estimate.value, default=None)
    for row in board.rows:
        if best is not None and row.overall in known and row.overall is not None and row.overall.value < best.value:
            row.is_tied = (row.overall.high or 0.0) >= (best.low or 0.0)


def _facts(cell: Optional[Cell], column: Column) -> Optional[MeanFacts]:
    """The score of a cell as a mean with its variance, as far as that is known."""
    if cell is None or cell.value is None or cell.name != column.metric:
        return None
    if cell.interval is None:
        return MeanFacts(cell.value, None, 1, 1, False)
    *_, method, count, clusters, error = cell.interval
    return MeanFacts(cell.value, None if error is None else error**2, count, clusters, method == WILSON)


def _sort(board: Board, sort: str) -> None:
    """Best first, those without a value last, the rest by name."""
    board.rows.sort(key=lambda row: row.subject)
    column = next((column for column in board.columns if column.task == sort), None)
    if sort == _BY_SUBJECT:
        return

    def order(row: Row) -> Any:
        if column is None:
            value = None if row.overall is None else row.overall.value
        else:
            cell = row.cells.get(column.task)
            value = cell.value if cell is not None and cell.name == column.metric else None
        if value is None:
            return (1, 0.0)
        return (0, value if column is not None and column.lower_is_better else -value)

    board.rows.sort(key=order)
