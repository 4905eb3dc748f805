"""The pages of a scenario and of a group: what it is, who did it how well, how it is asked, examples."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from helm.benchmark.server.dot_plot import DotPlot, DotRow, draw_dots
from helm.benchmark.server.home_page import ShownBoard, find_boards, show_board
from helm.benchmark.server.leaderboard import Board, Column, Row
from helm.benchmark.server.links import page_link
from helm.benchmark.server.viewer import Page, PageNotFound, Query, Viewer
from helm.common.errors import HelmError, suggest
from helm.results.board import BEST, TIED
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_query import UnitFilter
from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME
from helm.results.run_results import RunResults
from helm.results.schema import RunGroup

_MOST_DOTS = 40
"""Subjects in the plot; the table has all."""

_NUM_EXAMPLES = 3


@dataclass(frozen=True)
class About:
    """What is known of a scenario besides its scores."""

    description: str

    facts: list[tuple[str, str]]
    """Pairs of title and value."""

    homepage: str = ""


def scenario(viewer: Viewer, query: Query, path: str) -> Page:
    """Show a scenario, or one of its tasks. Raises: PageNotFound."""
    suite, entries = viewer.suite_entries(query)
    boards = find_boards(viewer, suite, entries)
    found = [
        (board, column)
        for board in boards
        for column in board.all_columns
        if column.task == path and not column.is_group
    ]
    if not found:
        known = [column.task for board in boards for column in board.all_columns if not column.is_group]
        raise PageNotFound(f"Suite {suite} has no scenario {path[:200]}.{suggest(path[:200], known)}")
    board, column = found[0]
    runs = _runs_of(board, column)
    first = runs[0]
    group = None if board.scope is None else board.scope.schema.name_to_run_group.get(column.group)
    about = _describe_scenario(viewer, first, group)
    family = next((other for other in board.scenarios if column in other.tasks), None)
    part_of = next(
        (other for other in board.columns if other.is_group and (column in other.tasks or family in other.tasks)), None
    )
    column = _opened(column)
    values = {
        "title": (f"{family.title}: " if family is not None else "") + (column.title or column.task),
        "column": column,
        "board": board,
        "group": None if board.scope is None else board.scope.group,
        "part_of": part_of,
        "family": family,
        "about": about,
        "lead": _describe_leaders(board, column),
        "plots": _draw(board, column),
        "item": _only(viewer, suite, board, column),
        "examples": _examples(viewer, board, column),
        "num_runs": len(runs),
        "compare": [entry.path for entry in _of_one_task(board, column)][:6],
        "link": lambda **changes: page_link("scenario", path, suite=suite),
        "toggle": lambda other: page_link("scenario", path, suite=suite),
    }
    return Page("scenario.html", values, viewer.refresh_while_busy())


def group(viewer: Viewer, query: Query, path: str) -> Page:
    """Show a group of scenarios. Raises: PageNotFound."""
    suite, entries = viewer.suite_entries(query)
    boards = find_boards(viewer, suite, entries)
    for board in boards:
        scope = board.scope
        if scope is None or scope.group is None:
            continue
        column = next((column for column in board.columns if column.is_group and column.group == path), None)
        if scope.group.name != path and column is None:
            continue
        column = None if column is None else _opened(column)
        described = scope.schema.name_to_run_group[path]
        scenarios = board.scenarios if column is None else column.tasks
        lines = [
            (item, _describe_group(scope.schema.name_to_run_group.get(item.group)), _leaders(board, item))
            for item in scenarios
        ]
        values = {
            "title": described.get_display_name(),
            "described": described,
            "about": _describe_group(described),
            "lines": lines,
            "lead": board.sentence if column is None else _describe_leaders(board, column),
            "item": show_board(viewer, suite, board) if column is None else _only(viewer, suite, board, column),
            "plots": [] if column is None else _draw(board, column),
            "link": lambda **changes: page_link("group", path, suite=suite),
            "toggle": lambda other: page_link("group", path, suite=suite),
            "has_tables": bool(described.subgroups or described.metric_groups),
        }
        return Page("group.html", values, viewer.refresh_while_busy())
    known = [board.scope.group.name for board in boards if board.scope is not None and board.scope.group is not None]
    raise PageNotFound(f"Suite {suite} has no group {path[:200]} with results.{suggest(path[:200], known)}")


def _tasks_of(column: Column) -> list[Column]:
    return [part for part in column.all_parts if not part.tasks] or [column]


def _runs_of(board: Board, column: Column) -> list[RunEntry]:
    names = {task.task for task in _tasks_of(column)}
    return [entry for row in board.rows for entry in row.entries if entry.task in names]


def _of_one_task(board: Board, column: Column) -> list[RunEntry]:
    """Return the runs of the first task, one for each subject."""
    task = _tasks_of(column)[0].task
    cells = [row.cells.get(task) for row in board.rows]
    return [cell.entry for cell in cells if cell is not None and cell.entry is not None]


def _opened(column: Column, depth: int = 0) -> Column:
    """Return a copy of a column as the first one of a table, open, with closed ones below it."""
    parts = [_opened(part, depth + 1) for part in column.tasks]
    return replace(column, depth=depth, is_open=depth == 0, tasks=parts)


def _only(viewer: Viewer, suite: str, board: Board, column: Column) -> ShownBoard:
    """Return the board with this opened column alone, and all of its tasks beside it, the best first."""
    parts = column.tasks
    one = Board(board.kind, board.overall_title, board.overall_help, scope=board.scope)
    one.columns = [column]
    rows = [row for row in board.rows if row.cells.get(column.task) is not None]
    sign = 1 if column.lower_is_better else -1
    one.rows = sorted(rows, key=lambda row: _order(row, column, sign))
    one.num_subjects = len(rows)
    shown = show_board(viewer, suite, one)
    shown.plots = []
    if viewer.settings.is_static and shown.hides_closed:
        shown.hides_closed = False
        shown.columns, shown.hidden = [column, *parts], frozenset()
    return shown


def _order(row: Row, column: Column, sign: int) -> tuple[bool, float, str]:
    value = row.cells[column.task].value
    known = isinstance(value, (int, float))
    return not known, sign * float(value) if known else 0.0, row.name.title


def _leaders(board: Board, column: Column) -> str:
    """Return who is marked, with the number of others that are not told apart."""
    best = [row for row in board.rows if (cell := row.cells.get(column.task)) is not None and cell.mark == BEST]
    if best:
        return best[0].name.title
    tied = [row for row in board.rows if (cell := row.cells.get(column.task)) is not None and cell.mark == TIED]
    tied.sort(key=lambda row: _order(row, column, 1 if column.lower_is_better else -1))
    return f"{tied[0].name.title} ≈ {len(tied) - 1} more" if tied else ""


def _describe_leaders(board: Board, column: Column) -> tuple[str, str]:
    """Return a word and a sentence on who leads."""
    marked = {
        mark: [row for row in board.rows if (cell := row.cells.get(column.task)) and cell.mark == mark]
        for mark in (BEST, TIED)
    }
    if marked[BEST]:
        return "One leads", f"{marked[BEST][0].name.title} is ahead of every other one, by more than chance."
    if marked[TIED]:
        names = [
            row.name.title
            for row in sorted(marked[TIED], key=lambda row: _order(row, column, 1 if column.lower_is_better else -1))
        ]
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        return f"{len(names)} lead", f"No difference is shown between {shown}."
    return "", ""


def _draw(board: Board, column: Column) -> list[DotPlot]:
    rows = [row for row in board.rows if (cell := row.cells.get(column.task)) and isinstance(cell.value, (int, float))]
    rows.sort(key=lambda row: _order(row, column, 1 if column.lower_is_better else -1))
    dots = []
    for row in rows[:_MOST_DOTS]:
        cell = row.cells[column.task]
        low, high = (None, None) if cell.estimate is None else (cell.estimate.low, cell.estimate.high)
        dots.append(DotRow(row.name.title, float(cell.value), low, high, is_marked=bool(cell.mark)))
    title = f"{column.metric_title} of each {board.kind.row_title.lower()}"
    drawn = [draw_dots(dots, title, column.unit, width, left) for width, left in ((820, 190), (368, 120))]
    return [plot for plot in drawn if plot is not None] if len(dots) > 1 else []


def _describe_group(found: RunGroup | None) -> str:
    return "" if found is None else str(found.description or found.short_description or "")


def _describe_scenario(viewer: Viewer, entry: RunEntry, found: RunGroup | None) -> About:
    """Return what the schema, the catalogue of scenarios and the run spec say."""
    from helm.benchmark.declarative.catalogue import find

    results = RunResults(viewer.indexer.folder.run_path(entry.path))
    spec = _read_spec(results)
    description, homepage, facts = _describe_group(found), "", []
    try:
        file = find(entry.task.partition(":")[0])
    except HelmError:
        file = None
    if file is not None:
        description = description or file.entry.description
        homepage = file.entry.homepage or ""
        if file.entry.license:
            facts.append(("Licence", str(file.entry.license)))
        if file.entry.size:
            facts.append(("Size", ", ".join(f"{count:,} {name}" for name, count in file.entry.size.items())))
    if found is not None and found.taxonomy is not None:
        for name in ("task", "what", "who", "when", "language"):
            value = getattr(found.taxonomy, name)
            if value and value not in ("?", "n/a"):
                facts.append((name.capitalize(), str(value)))
    return About(description, facts + _how_it_is_asked(spec, entry), homepage if homepage.startswith("http") else "")


def _read_spec(results: RunResults) -> Mapping[str, Any]:
    try:
        found = results.read_plain(RUN_SPEC_FILE_NAME) if RUN_SPEC_FILE_NAME in results.file_names else {}
    except HelmError:
        return {}
    return found if isinstance(found, dict) else {}


def _how_it_is_asked(spec: Mapping[str, Any], entry: RunEntry) -> list[tuple[str, str]]:
    adapter = spec.get("adapter_spec")
    adapter = adapter if isinstance(adapter, dict) else {}
    shown = [
        ("Method", entry.summary.get("method")),
        ("Worked examples", adapter.get("max_train_instances")),
        ("Longest answer", f"{adapter['max_tokens']} tokens" if adapter.get("max_tokens") else None),
        ("Temperature", adapter.get("temperature")),
        ("Instructions", _short(adapter.get("instructions"))),
    ]
    return [(title, str(value)) for title, value in shown if value not in (None, "", [])]


def _short(text: Any) -> str:
    found = " ".join(str(text or "").split())
    return found if len(found) <= 240 else found[:240].rsplit(" ", 1)[0] + " …"


def _examples(viewer: Viewer, board: Board, column: Column) -> list[dict[str, Any]]:
    """Return the first instances of a run, with their texts; empty while they are being read."""
    runs: Sequence[RunEntry] = _of_one_task(board, column)
    for entry in runs[:1]:
        try:
            index = viewer.indexer.open_instances(entry.path, wanted_rows=_NUM_EXAMPLES)
            if index is None:
                return []
            with index:
                rows = index.page(UnitFilter(), 0, _NUM_EXAMPLES, [])
        except (OSError, sqlite3.Error, HelmError):
            return []
        return [{"row": row, "entry": entry} for row in rows]
    return []
