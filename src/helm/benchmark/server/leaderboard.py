"""Builds the leaderboards of a suite: subjects by tasks, one table per kind of subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.table_page import has_tables
from helm.benchmark.server.viewer import Page, Query, Viewer, find_answered, find_coverage
from helm.benchmark.subjects import SubjectKind, subject_kinds
from helm.results.board import BoardCell, BoardColumn, mark_column, mean_facts
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_summary import read_estimate
from helm.results.statistics.intervals import MeanFacts, estimate_geometric_mean

_BY_SUBJECT = "subject"


@dataclass
class Cell(BoardCell):
    """A score of a subject on a task."""

    entry: RunEntry

    name: str = ""
    """Direction of the metric."""

    unit: str | None = None
    """The metric of the value: runs of one task may show different metrics."""


@dataclass
class Column(BoardColumn):
    """A task."""

    task: str

    metric: str = ""


@dataclass
class Row:
    """A subject."""

    subject: str

    cells: dict[str, Cell] = field(default_factory=dict)

    overall: BoardCell = field(default_factory=BoardCell)
    """Mean win rate, or the geometric mean for ratios."""


@dataclass
class Board:
    """The table of one kind of subject."""

    kind: SubjectKind

    overall_title: str

    overall_help: str

    columns: list[Column] = field(default_factory=list)

    rows: list[Row] = field(default_factory=list)


def leaderboard(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the first page."""
    suite, entries = viewer.suite_entries(query, with_failed=True)
    sort = query.get("sort")
    shown = [entry for entry in entries if not is_failed(entry)]
    boards = [
        make_board(kind, [entry for entry in shown if entry.subject_kind is kind], sort) for kind in subject_kinds()
    ]
    counts = {
        status: sum(e.summary.get("status") == status for e in entries) for status in ("done", "failed", "unfinished")
    }
    values = {
        "boards": [board for board in boards if board.rows], "counts": counts, "num_runs": len(entries), "sort": sort,
        "has_tables": has_tables(viewer, suite),
    }  # fmt: skip
    return Page("leaderboard.html", values, viewer.refresh_while_busy())


def make_board(kind: SubjectKind, entries: Sequence[RunEntry], sort: str = "") -> Board:
    """Build the leaderboard of runs of one kind. `sort` is a task, `subject` or `overall`, which is the default."""
    board = Board(
        kind,
        "Geometric mean" if kind.has_ratio_scores else "Mean win rate",
        "Over all programs of the suite; only where all have a value"
        if kind.has_ratio_scores
        else "Share of the other subjects that are beaten, ties half, mean over tasks",
    )
    columns: dict[str, Column] = {}
    rows: dict[str, Row] = {}
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
            shown = _shown_main(entry)
            column.metric, column.unit = cell.name, cell.unit
            column.lower_is_better = None if shown is None else shown.get("lower_is_better")
    board.columns, board.rows = list(columns.values()), list(rows.values())
    for column in board.columns:
        cells = [row.cells.get(column.task) for row in board.rows]
        shown_cells = [cell if cell is not None and cell.name == column.metric else None for cell in cells]
        mark_column(shown_cells, column.lower_is_better)
    _add_overall(board)
    _sort(board, sort)
    return board


def _shown_main(entry: RunEntry) -> Mapping[str, Any] | None:
    """Return the main score that tables show: for tools, the time of the derivative rather than its correctness."""
    found = entry.summary.get("main") or []
    return found[entry.subject_kind.shown_score] if found else None


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
        cell.note = _join(cell.note, f"{100 * coverage['answered'] // coverage['asked']}% {kind.answered_word}")
    if is_failed(entry):
        cell.note = _join(cell.note, "failed")
    elif summary.get("problem"):
        cell.note = _join(cell.note, "damaged")
    elif summary.get("status") == "unfinished":
        cell.note = _join(cell.note, "unfinished")
    return cell


def _join(*notes: str) -> str:
    return ", ".join(filter(None, notes))


def _add_overall(board: Board) -> None:
    if board.kind.has_ratio_scores:
        for row in board.rows:
            values = [cell.value for cell in row.cells.values() if cell.value is not None]
            is_complete = len(values) == len(board.columns) > 1 and min(values) > 0
            row.overall.estimate = estimate_geometric_mean(values) if is_complete else None
    else:
        from helm.results.statistics.ranking import estimate_win_rates

        columns = tuple(
            (tuple(_facts(row.cells.get(column.task), column) for row in board.rows), bool(column.lower_is_better))
            for column in board.columns
        )
        for row, estimate in zip(board.rows, estimate_win_rates(columns), strict=True):
            row.overall.estimate = estimate
    for row in board.rows:
        overall = row.overall
        overall.value = None if overall.estimate is None else overall.estimate.value
        known = [cell.answered for cell in row.cells.values() if cell.answered is not None]
        overall.answered = sum(known) / len(known) if known else None
    mark_column([row.overall for row in board.rows], lower_is_better=False)


def _facts(cell: Cell | None, column: Column) -> MeanFacts | None:
    """Return the score of a cell as a mean with its variance, as far as known."""
    if cell is None or cell.value is None or cell.name != column.metric:
        return None
    return mean_facts(cell.known_estimate())


def _sort(board: Board, sort: str) -> None:
    """Sort best first, then rows without a value; the rest by name."""
    board.rows.sort(key=lambda row: row.subject)
    column = next((column for column in board.columns if column.task == sort), None)
    if sort == _BY_SUBJECT:
        return

    def order(row: Row) -> Any:
        if column is None:
            value = row.overall.value
        else:
            cell = row.cells.get(column.task)
            value = cell.value if cell is not None and cell.name == column.metric else None
        if value is None:
            return (1, 0.0)
        return (0, value if column is not None and column.lower_is_better else -value)

    board.rows.sort(key=order)
