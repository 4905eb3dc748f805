"""Shows the tables of `helm-summarize` (and of HELM), as stored in the files of a suite or a release."""

import csv
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

from helm.benchmark.presentation.contamination import CONTAMINATION_SYMBOLS
from helm.benchmark.presentation.tables.plain_text import printable
from helm.benchmark.presentation.tables.table_files import CSV_FOLDER
from helm.benchmark.presentation.tables.terminal_tables import defuse
from helm.benchmark.server.viewer import Page, PageNotFound, Query, Viewer, find_answered
from helm.common.commands.output_path import GROUPS_FOLDER, RELEASES_FOLDER
from helm.common.errors import suggest
from helm.common.formats.number_text import SECONDS
from helm.results.board import BoardCell, BoardScore, mark_column
from helm.results.run_files.json_files import to_file_name
from helm.results.run_files.json_items import decode_json
from helm.results.statistics.intervals import CONFIDENCE, SIMULATION, Estimate

# Reading happens while the reader waits for the page.
_MOST_CSV_BYTES = 8 << 20
_WIN_RATE = "Mean win rate"
_IN_SECONDS = f" ({SECONDS})"
"""HELM's files have no place for a unit except the heading of the column."""


@dataclass(kw_only=True)
class TableCell(BoardCell):
    """A cell of a table as stored in files."""

    value: Any
    """The displayed text."""

    raw_text: str
    """The value, without the text displayed instead of it."""

    number: float | None

    description: str

    runs: list[str]
    """Paths of the runs from which the value was computed."""

    contamination: str
    """The symbol that marks contamination."""

    column: str = ""

    unit: str | None = None


def _folder(viewer: Viewer, suite: str) -> str:
    if viewer.settings.release:
        return os.path.join(viewer.output_path, RELEASES_FOLDER, viewer.settings.release)
    return os.path.join(viewer.indexer.folder.runs_folder, *suite.split("/"))


def _group_files(folder: str) -> dict[str, str]:
    """Map the name of each group to its file."""
    path = os.path.join(folder, GROUPS_FOLDER)
    if not os.path.isdir(path):
        return {}
    found = {}
    for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
        if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False):
            found[entry.name[: -len(".json")]] = entry.path
    return found


def has_tables(viewer: Viewer, suite: str) -> bool:
    """Whether there are tables of `helm-summarize`."""
    return bool(suite) and bool(_group_files(_folder(viewer, suite)))


def tables(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the tables of a group."""
    suite, entries = viewer.suite_entries(query)
    groups = _group_files(_folder(viewer, suite))
    if not groups:
        raise PageNotFound(f"There are no tables: make them with helm-summarize --suite {quote(suite or 'mine')}.")
    group = query.get("group") or next(iter(groups))
    if group not in groups:
        raise PageNotFound(f"There is no group {group[:200]}.{suggest(group, groups)}")
    with open(groups[group], "rb") as file:
        content = decode_json(file.read(), groups[group])
    by_name: dict[str, str] = {entry.name: entry.path for entry in viewer.entries().values()}
    by_name.update({entry.name: entry.path for entry in entries})
    shown = [_plain_table(item, by_name) for item in (content if isinstance(content, list) else [content])]
    files = _read_csv_files(os.path.dirname(groups[group]), group)
    answered = {entry.path: find_answered(entry) for entry in entries}
    for table in shown:
        if table is not None:
            _add_intervals(table, files)
            _mark_best(table, answered)
    return Page(
        "tables.html",
        {"groups": list(groups), "group": group, "tables": [table for table in shown if table is not None]},
    )


def _plain_table(table: Any, paths: dict[str, str]) -> dict[str, Any] | None:
    if not isinstance(table, dict) or not isinstance(table.get("rows"), list):
        return None
    header = [item if isinstance(item, dict) else {"value": item} for item in table.get("header") or []]
    rows: list[list[TableCell]] = []
    for row in table["rows"]:
        cells = row if isinstance(row, list) else []
        rows.append([_plain_cell(cell if isinstance(cell, dict) else {"value": cell}, paths) for cell in cells])
    names = [printable(str(head.get("value"))) for head in header]
    for row_cells in rows:
        for name, cell in zip(names, row_cells, strict=False):
            cell.column, cell.unit = name, SECONDS if name.endswith(_IN_SECONDS) else None
    filled = [
        i == 0 or not rows or any(i < len(row) and row[i].value is not None for row in rows) for i in range(len(header))
    ]
    for head in header:
        head["shown"] = str(head.get("display_value") or head.get("value")).removesuffix(_IN_SECONDS)
    return {
        "title": str(table.get("title") or ""),
        "header": [head for head, is_filled in zip(header, filled, strict=True) if is_filled],
        "rows": [[cell for cell, is_filled in zip(row, filled, strict=False) if is_filled] for row in rows],
        "num_empty": filled.count(False),
    }


def _read_csv_files(folder: str, group: str) -> list[list[list[str]]]:
    """Return the rows of a group's tables in full precision, from the CSV that `helm-summarize` writes besides HELM's files."""
    csv_folder = os.path.join(folder, CSV_FOLDER)
    if not os.path.isdir(csv_folder):
        return []
    found = []
    for entry in sorted(os.scandir(csv_folder), key=lambda entry: entry.name):
        is_of_group = entry.name.startswith(to_file_name(f"{group}_")) and entry.name.endswith(".csv")
        if is_of_group and entry.is_file(follow_symlinks=False) and entry.stat().st_size <= _MOST_CSV_BYTES:
            with open(entry.path, encoding="utf-8", errors="replace", newline="") as file:
                try:
                    found.append(list(csv.reader(file)))
                except csv.Error:
                    continue
    return found


def _add_intervals(table: dict[str, Any], files: Sequence[Sequence[Sequence[str]]]) -> None:
    """Add standard error and interval to the cells of a table that matches one of the files, value for value."""
    for file in files:
        if len(file) != len(table["rows"]) + 1:
            continue
        heads = file[0]
        for values, row in zip(file[1:], table["rows"], strict=True):
            by_name = dict(zip(heads, values, strict=False))
            for cell in row[1:]:
                name = defuse(cell.column)
                value, error, low, high = (
                    _to_number(by_name.get(f"{name}{what}", ""))
                    for what in ("", " (standard error)", " (low)", " (high)")
                )
                is_same = heads.count(name) == 1 and value is not None and value == cell.number
                if (
                    is_same
                    and low is not None
                    and high is not None
                    and by_name.get(heads[0]) == defuse(row[0].raw_text)
                ):
                    cell.estimate = Estimate(value or 0.0, error, low, high, CONFIDENCE)


def _mark_best(table: dict[str, Any], answered: Mapping[str, float | None]) -> None:
    """Mark the values shown to be best; HELM's files only mark the largest numbers."""
    for index, head in enumerate(table["header"]):
        cells = [row[index] if index < len(row) else None for row in table["rows"]]
        if not isinstance(head.get("lower_is_better"), bool):
            continue
        scores = [
            None if cell is None or cell.number is None else _board_score(cell, cell.runs or row[0].runs, answered)
            for cell, row in zip(cells, table["rows"], strict=True)
        ]
        mark_column(cells, head["lower_is_better"], scores)


_MANY = 1000
"""The files do not contain the number of values behind a score, so its error is treated as well known."""


def _board_score(cell: TableCell, runs: Sequence[str], answered: Mapping[str, float | None]) -> BoardScore:
    known = [share for path in runs if (share := answered.get(path)) is not None]
    found = cell.known_estimate() if cell.estimate else Estimate(cell.number or 0.0)
    is_simulated = not found.standard_error or cell.column == _WIN_RATE  # the intervals decide in that case
    estimate = replace(found, method=SIMULATION if is_simulated else None, count=_MANY, clusters=_MANY)
    return BoardScore(estimate, sum(known) / len(known) if known else None)


def _to_number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _plain_cell(cell: dict[str, Any], paths: dict[str, str]) -> TableCell:
    names = cell.get("run_spec_names")
    found = [paths[name] for name in names if name in paths] if isinstance(names, list) else []
    level = (cell.get("contamination") or {}).get("level") if isinstance(cell.get("contamination"), dict) else None
    value = cell.get("value")
    return TableCell(
        value=cell.get("display_value") if cell.get("display_value") is not None else value,
        raw_text=printable(str(value)),
        number=float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None,
        description=str(cell.get("description") or ""),
        runs=found,
        contamination=CONTAMINATION_SYMBOLS.get(level, "") if isinstance(level, str) else "",
    )
