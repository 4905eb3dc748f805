"""Builds the leaderboards of a suite: subjects by tasks, scenarios and groups, for one kind of subject."""

from collections.abc import Iterable, Sequence
from typing import Any

from helm.benchmark.presentation.table import AGGREGATE_WIN_RATE
from helm.benchmark.server.board_cells import join_notes, make_scoped_cell
from helm.benchmark.server.board_columns import gather_families, gather_groups, name_columns
from helm.benchmark.server.board_parts import Board, Column, Row
from helm.benchmark.server.board_scope import Scope, get_strategy
from helm.benchmark.server.board_sums import OVERALL_TITLES, add_overall
from helm.benchmark.server.subject_names import name_subject
from helm.benchmark.subjects import SubjectKind
from helm.results.board import BEST, TIED, mark_column
from helm.results.index.index_folder import RunEntry

_BY_SUBJECT = "subject"

_MOST_NAMED = 3
"""How many subjects the sentence above a board names."""


def make_board(
    kind: SubjectKind,
    entries: Sequence[RunEntry],
    sort: str = "",
    opened: Iterable[str] = (),
    search: str = "",
    scope: Scope | None = None,
) -> Board:
    """Build the leaderboard of runs of one kind.

    Args:
        sort: a column, `subject` or `overall`, which is the default.
        opened: the columns whose parts are shown.
        search: shows only the subjects with this text in a name; what is best is found among all.
        scope: the columns as a schema arranges them; without it, there is one for each scenario.
    """
    is_by_schema = scope is not None and not kind.has_timed_workloads  # `helm-summarize` does not sum up times
    strategy = get_strategy(scope.schema, scope.group) if is_by_schema and scope is not None else AGGREGATE_WIN_RATE
    title, explanation = OVERALL_TITLES[strategy]
    if kind.has_ratio_scores:
        title, explanation = "Geometric mean", "Over all programs of the suite; only where all have a value"
    board = Board(kind, title, explanation, scope=scope)
    columns, rows = _add_tasks(entries, scope)
    board.rows, board.num_subjects = list(rows.values()), len(rows)
    if kind.has_ratio_scores:
        board.columns = columns
        name_columns(columns, scope)
    else:
        scenarios = gather_families(columns, board.rows, set(opened), scope)
        board.columns = scenarios
        if scope is not None and scope.group is not None:
            board.columns = gather_groups(scope, scope.group, scenarios, board.rows, set(opened))
    for column in {id(column): column for column in (*columns, *board.all_columns)}.values():
        cells = [row.cells.get(column.task) for row in board.rows]
        shown_cells = [cell if cell is not None and cell.name == column.metric else None for cell in cells]
        mark_column(shown_cells, column.lower_is_better)
    add_overall(board, strategy)
    _sort(board, sort)
    board.sentence = _describe_leaders(board)
    if search:
        board.rows = [row for row in board.rows if row.name.has(search)]
    return board


def _add_tasks(entries: Sequence[RunEntry], scope: Scope | None) -> tuple[list[Column], dict[str, Row]]:
    """Return a column for each task, and the rows with their cells."""
    columns: dict[str, Column] = {}
    rows: dict[str, Row] = {}
    for entry in entries:
        row = rows.get(entry.subject)
        if row is None:
            row = rows[entry.subject] = Row(entry.subject, name_subject(entry.subject))
        row.entries.append(entry)
        column = columns.setdefault(entry.task, Column(entry.task, title=str(entry.summary.get("title") or "")))
        cell, shown = make_scoped_cell(entry, scope)
        known = row.cells.get(entry.task)
        if known is not None and known.value is not None:
            if cell.value is None:
                continue
            cell.note = join_notes(cell.note, "one of several runs")
        row.cells[entry.task] = cell
        if cell.name and not column.metric:
            column.metric, column.unit, column.counts = cell.name, cell.unit, not cell.is_substitute
            column.lower_is_better = None if shown is None else shown.get("lower_is_better")
            column.is_ratio = shown is not None and bool(shown.get("is_ratio"))
    return list(columns.values()), rows


def _describe_leaders(board: Board) -> str:
    """Say who leads: by the mean if there is one, else in the only column."""
    cells = [(row, row.overall) for row in board.rows]
    what = board.overall_title[:1].lower() + board.overall_title[1:]
    if len(board.columns) == 1:
        column = board.columns[0]
        cells = [(row, row.cells[column.task]) for row in board.rows if column.task in row.cells]
        what = column.metric_title
    best = [row.name.title for row, cell in cells if cell.mark == BEST]
    if best:
        return f"{best[0]} leads in {what}, by more than chance."
    tied = sorted((-(cell.value or 0.0), row.name.title) for row, cell in cells if cell.mark == TIED)
    if not tied or (len(board.columns) == 1 and board.columns[0].lower_is_better):
        return ""
    names = [name for _, name in tied]
    others = names[1 : _MOST_NAMED + 1]
    more = len(names) - 1 - len(others)
    listed = " or ".join(others) + (f" or {more} more" if more else "")
    return f"{names[0]} is highest in {what}; no difference from {listed} is shown."


def _sort(board: Board, sort: str) -> None:
    """Sort best first, then rows without a value; the rest by name."""
    board.rows.sort(key=lambda row: row.name.title)
    column = next((column for column in board.all_columns if column.task == sort), None)
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
