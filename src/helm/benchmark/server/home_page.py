"""The first page: the boards of a suite, as the groups of its schema arrange them."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.board_filters import ShownFilter, fits, list_filters, values_of
from helm.benchmark.server.board_scope import find_schema_of, make_scopes
from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.leaderboard import Board, Column, Row, make_board
from helm.benchmark.server.links import page_link
from helm.benchmark.server.pareto_plot import ParetoItem, ParetoPlot, draw_pareto
from helm.benchmark.server.row_costs import RowCosts, sum_costs
from helm.benchmark.server.table_page import has_tables
from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.benchmark.subjects import LANGUAGE_MODEL, SubjectKind, subject_kinds
from helm.results.index.index_folder import RunEntry
from helm.results.schema import Schema

OVERALL, ANSWERED, COST, TIME = "@overall", "@answered", "@cost", "@time"
"""Names of columns that are no scenarios, in addresses."""

_MOST_CELLS_AT_ONCE = 6000
"""A page of a static site has all columns, closed ones hidden, up to this many cells; larger ones are pages of their own."""


@dataclass
class ShownBoard:
    """A board with what its table needs besides."""

    board: Board

    columns: list[Column]
    """The columns in the table; with `hides_closed`, also those below a closed one, which are hidden."""

    hides_closed: bool

    costs: dict[str, RowCosts]
    """What the runs of each subject took."""

    with_overall: bool

    with_answered: bool

    with_cost: bool

    with_time: bool

    scale: tuple[float, float] | None
    """The ends of the strips that show intervals; None if the columns have no common scale."""

    plots: list[ParetoPlot] = field(default_factory=list)
    """The plot of scores against cost, for wide and for narrow screens."""

    plot_sentence: str = ""

    row_values: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What a script filters by, for each subject."""

    hidden: frozenset[str] = frozenset()
    """The columns below a closed one."""


def suite_schema(viewer: Viewer, suite: str) -> Schema:
    """Return the schema with which a suite was summarized last, else the default one."""
    return find_schema_of(os.path.join(viewer.indexer.folder.runs_folder, *suite.split("/")))


def make_boards(
    viewer: Viewer,
    suite: str,
    entries: Sequence[RunEntry],
    kinds: Sequence[SubjectKind] | None = None,
    sort: str = "",
    opened: Sequence[str] = (),
    search: str = "",
) -> list[Board]:
    """Return the boards of a suite, in order; failed runs are on none."""
    schema = suite_schema(viewer, suite)
    found = []
    for kind in kinds or subject_kinds():
        runs = [entry for entry in entries if entry.subject_kind is kind and not is_failed(entry)]
        scopes = make_scopes(schema, runs, viewer.indexer.folder.stats)
        if kind.has_ratio_scores or kind.has_timed_workloads:  # one board, as programs are compared across groups
            scopes = [(scopes[-1][0], runs)] if runs else []
        for scope, of_scope in scopes:
            found.append(make_board(kind, of_scope, sort, opened, search, scope))
    return found


def find_boards(viewer: Viewer, suite: str, entries: Sequence[RunEntry]) -> list[Board]:
    """Return all boards of a suite, closed and in order; callers must not change them.

    In an export, which has a page for each model and scenario, all pages share them. A server does not keep them, as the boards
    of 100,000 runs are large, and those of one suite are soon made.
    """
    if not viewer.settings.is_static:
        return make_boards(viewer, suite, entries)
    known = viewer.kept.get(("boards", suite))
    if known is None:
        known = viewer.kept["boards", suite] = make_boards(viewer, suite, entries)
    return known


def leaderboard(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the first page."""
    suite, entries = viewer.suite_entries(query, with_failed=True)
    sort, search, opened, chosen = query.get("sort"), query.get("q").strip(), query.all("open"), query.all("col")
    counts = {
        status: sum(e.summary.get("status") == status for e in entries) for status in ("done", "failed", "unfinished")
    }
    boards = make_boards(viewer, suite, entries, None, sort, opened)
    every_row = [row for board in boards if board.kind is LANGUAGE_MODEL for row in board.rows]
    filters = list_filters(every_row, query)
    choices = _list_choices([show_board(viewer, suite, board) for board in boards if board.num_subjects])
    shown = [show_board(viewer, suite, board, chosen) for board in boards if board.num_subjects]
    for item in shown:
        filter_rows(item.board, search, filters)
        if sort in (COST, TIME):
            _sort_by_cost(item, "usd" if sort == COST else "seconds")
    given = {item.filter.name: item.chosen for item in filters}

    def link(**changes: Any) -> str:
        return page_link(
            "", **{"suite": suite, "sort": sort, "q": search, "open": opened, "col": chosen, **given, **changes}
        )

    def toggle(column: Column) -> str:
        """Return the URL of the board with a column opened or closed; an exported site has one open at a time."""
        others = [] if viewer.settings.is_static else [name for name in opened if name != column.task]
        return link(open=others if column.is_open else [*others, column.task])

    values = {
        "boards": shown, "counts": counts, "num_runs": len(entries), "sort": sort, "search": search, "opened": opened,
        "link": link, "toggle": toggle, "has_tables": has_tables(viewer, suite), "filters": filters, "chosen": chosen,
        "choices": choices, "num_chosen_filters": sum(bool(item.chosen) for item in filters) + bool(search),
        "has_contamination": any(
            cell.contamination for item in shown for row in item.board.rows for cell in row.cells.values()
        ),
    }  # fmt: skip
    return Page("leaderboard.html", values, viewer.refresh_while_busy())


def filter_rows(board: Board, search: str, filters: Sequence[ShownFilter]) -> None:
    """Keep the rows that fit; what is best was found among all."""
    of_models = filters if board.kind is LANGUAGE_MODEL else ()
    board.rows = [row for row in board.rows if (not search or row.name.has(search)) and fits(row, of_models)]


def show_board(viewer: Viewer, suite: str, board: Board, chosen: Sequence[str] = ()) -> ShownBoard:
    """Return a board with its costs, plot and columns; `chosen` names the columns that are shown, none means all."""
    hides = viewer.settings.is_static and len(board.all_columns) * len(board.rows) <= _MOST_CELLS_AT_ONCE
    costs = {row.subject: sum_costs(row.entries) for row in board.rows}
    has_overall = len(board.columns) > 1 and any(row.overall.estimate for row in board.rows)
    if chosen:
        board.columns = [column for column in board.columns if column.task in chosen]

    def wants(name: str, value: str | None) -> bool:
        known = value is None or any(getattr(found, value) is not None for found in costs.values())
        return known and (not chosen or name in chosen)

    shows_costs = board.kind is LANGUAGE_MODEL
    shown = ShownBoard(
        board,
        board.all_columns if hides else board.shown_columns,
        hides,
        costs,
        wants(OVERALL, None) and has_overall,
        shows_costs and wants(ANSWERED, "answered"),
        shows_costs and wants(COST, "usd"),
        shows_costs and wants(TIME, "seconds"),
        find_scale(board),
    )
    if hides:
        shown.hidden = frozenset(column.task for column in board.all_columns) - {
            column.task for column in board.shown_columns
        }
    shown.row_values = {row.subject: values_of(row) for row in board.rows}
    if shows_costs:
        _add_plot(shown, suite)
    return shown


def find_scale(board: Board) -> tuple[float, float] | None:
    """Return a range that has the intervals of all cells, if all are shares; so strips can be compared down and across."""
    ends: list[float] = []
    if any(column.unit is not None for column in board.all_columns):
        return None
    for row in board.rows:
        for cell in [row.overall, *row.cells.values()]:
            if isinstance(cell.value, (int, float)):
                ends += [float(cell.value)]
            if cell.estimate is not None and cell.estimate.low is not None and cell.estimate.high is not None:
                ends += [cell.estimate.low, cell.estimate.high]
    if not ends or min(ends) < 0 or max(ends) > 1 or min(ends) == max(ends):
        return None
    return min(ends), max(ends)


def _add_plot(shown: ShownBoard, suite: str) -> None:
    """Add the plot of scores against cost, or against time where costs are unknown."""
    board = shown.board
    only = board.columns[0] if len(board.columns) == 1 and not board.columns[0].lower_is_better else None
    known = {
        name: [row for row in board.rows if getattr(shown.costs[row.subject], name)] for name in ("usd", "seconds")
    }
    measure = "usd" if len(known["usd"]) > 1 else "seconds"
    items = []
    for row in known[measure]:
        cell = row.overall if only is None else row.cells.get(only.task)
        if cell is None or not isinstance(cell.value, (int, float)):
            continue
        low, high = (None, None) if cell.estimate is None else (cell.estimate.low, cell.estimate.high)
        cost = float(getattr(shown.costs[row.subject], measure))
        link = page_link("subject", row.subject, suite=suite)
        items.append(ParetoItem(row.name.title, cost, float(cell.value), low, high, link))
    x_title = "Cost of 1,000 requests" if measure == "usd" else "Mean time of a request"
    y_title = board.overall_title if only is None else only.metric_title
    for width, height in ((900, 380), (368, 380)):
        plot = draw_pareto(items, f"{x_title}, log scale", y_title, measure == "seconds", width, height)
        if plot is not None:
            shown.plots.append(plot)
    if shown.plots:
        best = [point.item.name for point in shown.plots[0].points if point.is_best]
        cheaper = "cheaper" if measure == "usd" else "faster"
        told = (
            f"{best[0]} is both {cheaper} and better than every other one."
            if len(best) == 1
            else f"Blue: nothing is both {cheaper} and better than {_join(best)}."
        )
        shown.plot_sentence = f"{told} Vertical strokes are 95% intervals."


def _sort_by_cost(shown: ShownBoard, measure: str) -> None:
    def key(row: Row) -> tuple[bool, float]:
        value = getattr(shown.costs[row.subject], measure)
        return value is None, value or 0.0

    shown.board.rows.sort(key=key)


def _join(names: Sequence[str], most: int = 6) -> str:
    shown = list(names[:most]) + ([f"{len(names) - most} more"] if len(names) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _list_choices(boards: Sequence[ShownBoard]) -> list[tuple[str, str]]:
    """Return the columns to choose from, with their titles: only where there are several."""
    found: dict[str, str] = {}
    for item in boards:
        if item.with_overall:
            found.setdefault(OVERALL, item.board.overall_title)
        for column in item.board.columns if len(item.board.columns) > 1 else ():
            found.setdefault(column.task, column.title or column.task)
    for name, title, is_there in (
        (ANSWERED, "Answered", any(item.with_answered for item in boards)),
        (COST, "Cost", any(item.with_cost for item in boards)),
        (TIME, "Time", any(item.with_time for item in boards)),
    ):
        if is_there:
            found[name] = title
    return list(found.items())
