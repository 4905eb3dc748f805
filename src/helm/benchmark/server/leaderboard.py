"""The leaderboards of a suite: subjects by tasks, one table for each kind of subject."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence

from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.results.board import BEST, TIED, BoardScore, mark_best
from helm.results.index_folder import RunEntry
from helm.results.index_summary import COMPILER, KINDS, MODEL, TOOL, IntervalRow
from helm.results.statistics.intervals import CONFIDENCE, WILSON, Estimate, MeanFacts, estimate_geometric_mean

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

    """Better than all others, by more than chance explains: see `helm.results.board`."""

    is_tied: bool = False
    """The best number, or one from which no difference is shown."""

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

    is_best: bool = False

    is_tied: bool = False


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
    suite, entries = viewer.suite_entries(query, with_failed=True)
    sort = query.get("sort")
    shown = [entry for entry in entries if not is_failed(entry)]
    boards = [make_board(kind, [entry for entry in shown if entry.kind == kind], sort) for kind in KINDS]
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
    if is_failed(entry):
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


def _mark_best(column: Column, rows: Sequence[Row]) -> None:
    cells = [row.cells.get(column.task) for row in rows]
    scores = [_board_score(cell, column) for cell in cells]
    for cell, mark in zip(cells, mark_best(scores, bool(column.lower_is_better)), strict=True):
        if cell is not None:
            cell.is_best, cell.is_tied = mark == BEST, mark == TIED


def _board_score(cell: Optional[Cell], column: Column) -> Optional[BoardScore]:
    if cell is None or cell.value is None or cell.name != column.metric:
        return None
    estimate = Estimate(cell.value)
    if cell.interval is not None:
        _, _, _, _, _, low, high, method, count, clusters, error = cell.interval
        estimate = Estimate(cell.value, error, low, high, CONFIDENCE, method, count, clusters)
    return BoardScore(estimate, find_answered(cell.entry))


def find_answered(entry: RunEntry) -> Optional[float]:
    """Share of what a run asked that has an answer, or worked; None: not known."""
    coverage = find_coverage(entry)
    return coverage["answered"] / coverage["asked"] if coverage and coverage["asked"] else None


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
    marks = mark_best([_overall_score(row) for row in board.rows], lower_is_better=False)
    for row, mark in zip(board.rows, marks, strict=True):
        row.is_best, row.is_tied = mark == BEST, mark == TIED


def _overall_score(row: Row) -> Optional[BoardScore]:
    if row.overall is None:
        return None
    known = [share for cell in row.cells.values() if (share := find_answered(cell.entry)) is not None]
    return BoardScore(row.overall, sum(known) / len(known) if known else None)


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
