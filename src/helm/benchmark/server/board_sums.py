"""Sums up the cells of a leaderboard: means over tasks, and means or win rates over scenarios, as `helm-summarize` does."""

from collections.abc import Sequence

from helm.benchmark.presentation.table import AGGREGATE_MEAN, AGGREGATE_WIN_RATE
from helm.benchmark.server.board_cells import join_notes
from helm.benchmark.server.board_parts import Board, Cell, Column, Row
from helm.results.board import mark_column, mean_facts
from helm.results.statistics.intervals import (
    Estimate,
    MeanFacts,
    combine_means,
    estimate_from_facts,
    estimate_geometric_mean,
)

# Below this share of answered requests, a column of several tasks says it.
_NEARLY_ALL = 0.95

OVERALL_TITLES = {
    AGGREGATE_MEAN: ("Mean score", "Mean of the scores of all scenarios that the subject has"),
    AGGREGATE_WIN_RATE: (
        "Mean win rate",
        "Share of the other subjects that are beaten, ties half, mean over scenarios",
    ),
    "": ("", ""),
}
"""Titles and explanations of the columns that sum up others, by the strategy of the schema."""


def sum_up(columns: Sequence[Column], rows: Sequence[Row], strategy: str) -> list[Cell | None]:
    """Return what sums up columns for each row, as `helm-summarize` does: the mean of the scores, or of the win rates."""
    name = OVERALL_TITLES[strategy][0]
    found: list[Cell | None] = []
    for row, estimate in zip(rows, _estimate_overall(columns, rows, strategy), strict=True):
        cells = [cell for column in columns if (cell := _own_cell(row, column)) is not None]
        if estimate is None:
            found.append(None)
            continue
        cell = Cell(None, name, columns[0].unit if strategy == AGGREGATE_MEAN else None)
        cell.value, cell.estimate, cell.parts = estimate.value, estimate, sum(part.parts for part in cells)
        answered = [part.answered for part in cells if part.answered is not None]
        cell.answered = sum(answered) / len(answered) if answered else None
        if len(cells) < len(columns):
            cell.note = f"{len(cells)} of {len(columns)} scenarios"
        found.append(cell)
    return found


def mean_cell(cells: Sequence[Cell], family: Column) -> Cell | None:
    """Return the mean over tasks, each of which counts the same; None without values."""
    valued = [cell for cell in cells if cell.value is not None and cell.name == family.metric]
    combined = combine_means([(1.0, mean_facts(cell.known_estimate())) for cell in valued])
    if combined is None:
        return None
    found = Cell(None, family.metric, family.unit)
    found.value, found.estimate, found.parts = combined.mean, estimate_from_facts(combined), len(valued)
    answered = [cell.answered for cell in valued if cell.answered is not None]
    found.answered = sum(answered) / len(answered) if answered else None
    if len(valued) < len(family.tasks):
        found.note = f"{len(valued)} of {len(family.tasks)} runs"
    if found.answered is not None and found.answered < _NEARLY_ALL:
        found.note = join_notes(found.note, f"{100 * found.answered:.0f}% answered")
    return found


def add_overall(board: Board, strategy: str) -> None:
    if board.kind.has_ratio_scores:
        for row in board.rows:
            values = [cell.value for cell in row.cells.values() if cell.value is not None]
            is_complete = len(values) == len(board.columns) > 1 and min(values) > 0
            row.overall.estimate = estimate_geometric_mean(values) if is_complete else None
    elif strategy:
        scenarios = [column for column in board.scenarios if column.counts]
        same = strategy == AGGREGATE_WIN_RATE or len({column.lower_is_better for column in scenarios}) <= 1
        estimates = _estimate_overall(scenarios, board.rows, strategy) if same else [None] * len(board.rows)
        for row, estimate in zip(board.rows, estimates, strict=True):
            row.overall.estimate = estimate
            row.overall.parts = sum(cell.parts for column in scenarios if (cell := _own_cell(row, column)) is not None)
    for row in board.rows:
        overall = row.overall
        overall.value = None if overall.estimate is None else overall.estimate.value
        known = [cell.answered for cell in row.cells.values() if cell.answered is not None]
        overall.answered = sum(known) / len(known) if known else None
    mark_column([row.overall for row in board.rows], lower_is_better=False)


def _estimate_overall(columns: Sequence[Column], rows: Sequence[Row], strategy: str) -> list[Estimate | None]:
    if strategy == AGGREGATE_MEAN:
        found: list[Estimate | None] = []
        for row in rows:
            cells = [cell for column in columns if (cell := _own_cell(row, column)) is not None]
            combined = combine_means([(1.0, mean_facts(cell.known_estimate())) for cell in cells])
            found.append(None if combined is None else estimate_from_facts(combined))
        return found
    from helm.results.statistics.ranking import estimate_win_rates

    facts = tuple(
        (tuple(_facts(row.cells.get(column.task), column) for row in rows), bool(column.lower_is_better))
        for column in columns
    )
    return list(estimate_win_rates(facts))


def _own_cell(row: Row, column: Column) -> Cell | None:
    """Return the cell of a row if it has a value of the column's metric."""
    cell = row.cells.get(column.task)
    return None if cell is None or cell.value is None or cell.name != column.metric else cell


def _facts(cell: Cell | None, column: Column) -> MeanFacts | None:
    """Return the score of a cell as a mean with its variance, as far as known."""
    if cell is None or cell.value is None or cell.name != column.metric:
        return None
    return mean_facts(cell.known_estimate())
