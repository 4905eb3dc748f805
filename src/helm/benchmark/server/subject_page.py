"""Shows a subject: what it is, all of its scores in a suite with their places, and how it did in other suites."""

from collections.abc import Sequence
from dataclasses import dataclass

from helm.benchmark.server.dot_plot import DotPlot, DotRow, draw_dots
from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.home_page import OVERALL, find_boards, make_boards
from helm.benchmark.server.leaderboard import Board, Cell, Column, Row
from helm.benchmark.server.row_costs import sum_costs
from helm.benchmark.server.subject_names import SubjectName
from helm.benchmark.server.viewer import Page, PageNotFound, Query, Viewer
from helm.common.errors import suggest
from helm.common.formats.number_text import format_score
from helm.results.board import BoardCell, place_scores
from helm.results.index.index_folder import RunEntry

Places = tuple[int, int]
"""The best and the worst place that a score may have."""

_MOST_NAMED = 3
"""How many scenarios the sentence names."""


@dataclass(frozen=True)
class Line:
    """A score of the subject, in a scenario or in one of its tasks."""

    column: Column

    cell: Cell | None

    places: Places | None

    num_placed: int
    """The number of subjects that have a place in the column."""

    behind: str
    """The distance from the best number of the column; empty for the best itself, or without a direction."""

    best: str
    """Who has the best number."""


@dataclass(frozen=True)
class Standing:
    """The overall place of the subject in a suite."""

    suite: str

    cell: BoardCell

    places: Places | None

    num_placed: int

    num_columns: int

    title: str = ""
    """What the number is."""


def subject(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the page of a subject. Raises: PageNotFound."""
    suite, entries = viewer.suite_entries(query)
    boards = _boards_of(viewer, suite, path, entries)
    if not boards:
        known = sorted({entry.subject for entry in entries})
        raise PageNotFound(f"Suite {suite} has no results of {path[:200]}.{suggest(path[:200], known)}")
    by_suite: dict[str, list[RunEntry]] = {}
    for entry in viewer.entries().values():
        if not is_failed(entry):
            by_suite.setdefault(entry.suite, []).append(entry)
    standings = [
        _standing(name, board, row)
        for name in sorted(by_suite)
        for board, row in _boards_of(viewer, name, path, by_suite[name])
    ]
    tables = [(board, row, _lines(board, row)) for board, row in boards]
    name = tables[0][1].name
    values = {
        "name": name,
        "facts": _facts(name),
        "tables": [(board, lines, _describe(board, row, lines), _draw(board, row)) for board, row, lines in tables],
        "costs": sum_costs([entry for _, row in boards for entry in row.entries]),
        "overall": [_standing(suite, board, row) for board, row in boards if row.overall.value is not None],
        "titles": {board.name: board.overall_title for board, _ in boards},
        "standings": standings if len({item.suite for item in standings}) > 1 else [],
        "num_runs": sum(entry.subject == path for entry in entries),
    }
    return Page("subject.html", values, viewer.refresh_while_busy())


def _boards_of(viewer: Viewer, suite: str, path: str, entries: Sequence[RunEntry]) -> list[tuple[Board, Row]]:
    """Return the boards on which the subject is, with its rows."""
    kinds = {entry.subject_kind.name: entry.subject_kind for entry in entries if entry.subject == path}
    if viewer.settings.is_static:
        boards = find_boards(viewer, suite, entries)
    else:  # of other kinds, nothing is needed
        boards = make_boards(viewer, suite, entries, list(kinds.values())) if kinds else []
    return [(board, row) for board in boards for row in board.rows if row.subject == path]


def _draw(board: Board, row: Row) -> list[DotPlot]:
    """Draw the scores of a subject among those of the others, the groups or scenarios one below the other."""
    dots = []
    for column in board.columns:
        cells = {other.subject: other.cells.get(column.task) for other in board.rows}
        cell = cells[row.subject]
        if cell is None or not isinstance(cell.value, (int, float)) or column.unit is not None or column.is_ratio:
            continue
        others = tuple(
            float(other.value)
            for subject, other in cells.items()
            if other is not None and subject != row.subject and isinstance(other.value, (int, float))
        )
        low, high = (None, None) if cell.estimate is None else (cell.estimate.low, cell.estimate.high)
        dots.append(DotRow(column.title or column.task, float(cell.value), low, high, others, True))
    title = f"Scores of {row.name.title} among {len(board.rows)}"
    drawn = [draw_dots(dots, title, None, width, left) for width, left in ((820, 190), (368, 120))]
    return [plot for plot in drawn if plot is not None] if len(dots) > 1 else []


def _facts(name: SubjectName) -> list[tuple[str, str]]:
    facts = [("Organization", name.creator), ("Access", name.access), ("Released", name.released)]
    facts += [("Reads", ", ".join(("text", *name.reads)))] if name.reads else []
    if name.num_parameters:
        facts.append(("Parameters", f"{name.num_parameters:,}"))
    return [(title, value) for title, value in facts if value]


def _places(
    board: Board, name: str, cells: Sequence[BoardCell | None], lower_is_better: bool | None, row: Row
) -> tuple[Places | None, int]:
    """Return the places that a row has in a column, and how many rows have any."""
    if lower_is_better is None:
        return None, 0
    places = board.places.get(name)
    if places is None:
        found = place_scores([None if cell is None else cell.score() for cell in cells], lower_is_better)
        places = {other.subject: place for other, place in zip(board.rows, found, strict=True) if place is not None}
        board.places[name] = places
    return places.get(row.subject), len(places)


def _standing(suite: str, board: Board, row: Row) -> Standing:
    cells = [other.overall for other in board.rows]
    places, count = _places(board, OVERALL, cells, False, row)
    return Standing(suite, row.overall, places, count, len(board.scenarios), board.overall_title)


def _lines(board: Board, row: Row) -> list[Line]:
    return [_line(board, row, column) for column in board.all_columns]


def _line(board: Board, row: Row, column: Column) -> Line:
    cells = [other.cells.get(column.task) for other in board.rows]
    shown = [cell if cell is not None and cell.name == column.metric else None for cell in cells]
    places, count = _places(board, column.task, shown, column.lower_is_better, row)
    cell = row.cells.get(column.task)
    behind = best = ""
    if cell is not None and isinstance(cell.value, (int, float)) and places is not None:
        placed = [
            (found.value, other.name.title)
            for found, other in zip(shown, board.rows, strict=True)
            if found is not None and isinstance(found.value, (int, float))
        ]
        value, best = min(placed) if column.lower_is_better else max(placed)
        distance = abs(value - cell.value)
        behind = format_score(distance, column.unit) if distance and best != row.name.title else ""
    return Line(column, cell, places, count, behind, best if behind else "")


def _describe(board: Board, row: Row, lines: Sequence[Line]) -> str:
    """Say the place, where the subject is the best, and where it may be the last."""
    told = []
    standing = _standing("", board, row)
    if standing.places is not None and standing.num_placed > 1 and len(board.columns) > 1:
        title = board.overall_title[0].lower() + board.overall_title[1:]
        told.append(f"Place {range_text(standing.places)} of {standing.num_placed} by {title}.")
    tops = [line for line in lines if not line.column.is_part and line.num_placed > 1 and line.places is not None]
    best = [line.column.title or line.column.task for line in tops if line.places == (1, 1)]
    last = [line.column.title or line.column.task for line in tops if line.places == (line.num_placed, line.num_placed)]
    for word, names in (("Best", best), ("Last", last)):
        if names:
            more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
            told.append(f"{word} in {', '.join(names[:_MOST_NAMED])}{more}.")
    return " ".join(told)


def range_text(places: Places) -> str:
    """Return `2` or `1–3`."""
    first, last = places
    return str(first) if first == last else f"{first}–{last}"
