"""Shows the pictures that models made of the same prompts: a row for each prompt, a column for each model."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.instance_media import FLAGS, list_media
from helm.benchmark.server.instance_pages import main_metric
from helm.benchmark.server.instance_verdict import title_metric
from helm.benchmark.server.links import instance_link, page_link
from helm.benchmark.server.subject_names import SubjectName, name_subject
from helm.benchmark.server.task_labels import family_of, label_tasks
from helm.benchmark.server.viewer import Page, PageNotFound, Query, Viewer
from helm.common.errors import HelmError, suggest
from helm.results.coverage import ANSWERED
from helm.results.index.index_build import UnitKey
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_query import RunIndex, UnitFilter, UnitRow

_PROMPTS_PER_PAGE = 20
_FLAGGED = ("", "only", "without")
_MOST_SHOWN = 4
"""How many pictures of one prompt a cell shows; the page of the instance has all."""


@dataclass
class Cell:
    """What a model made of a prompt."""

    unit: UnitRow

    link: str
    """The page of the instance."""

    pictures: list[Any] = field(default_factory=list)
    """As many `Media` as are shown."""

    num_hidden: int = 0

    flags: tuple[str, ...] = ()
    """What detectors say of the pictures."""

    absent: str = ""
    """Why there is no picture."""

    score: float | None = None


@dataclass
class Column:
    """A model, with its run."""

    entry: RunEntry

    name: SubjectName

    metric: str = ""
    """Its main metric, if instances have it."""

    metric_title: str = ""

    is_being_read: bool = False


@dataclass
class Row:
    """A prompt."""

    unit: UnitRow

    cells: list[Cell | None]
    """One for each column; None if the run has no such prompt."""


def gallery(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the pictures of all runs of a task."""
    suite, entries = viewer.suite_entries(query)
    making = [entry for entry in entries if entry.summary.get("makes_pictures")]
    tasks = sorted({entry.task for entry in making})
    task = query.get("task") or (tasks[0] if tasks else "")
    if task and task not in tasks:
        raise PageNotFound(f"No run of the suite makes pictures for {task[:200]}.{suggest(task, tasks)}")
    columns = [Column(entry, name_subject(entry.subject)) for entry in making if entry.task == task]
    columns.sort(key=lambda column: (column.name.title.casefold(), column.entry.path))
    all_columns, chosen = columns, query.all("model")
    if chosen:
        columns = [column for column in columns if column.name.id in chosen] or columns
    flagged, search = query.choice("flagged", _FLAGGED), query.get("q").strip()
    limit = query.integer("rows", _PROMPTS_PER_PAGE, 1, 200)
    start = query.integer("start", 0)

    def link(**changes: Any) -> str:
        given = {"suite": suite, "task": task, "flagged": flagged, "q": search, "model": chosen, **changes}
        return page_link("gallery", **given)

    with ExitStack() as stack:
        indexes = [_open(viewer, column, stack, start + limit) for column in columns]
        rows, total, num_flagged = _find_rows(viewer, columns, indexes, flagged, search, start, limit)
    names = _name_tasks(making)
    is_reading = any(column.is_being_read for column in columns)
    values = {
        "suite": suite, "task": task, "tasks": names, "task_title": dict(names).get(task, ""), "columns": columns,
        "all_columns": all_columns, "chosen": chosen, "rows": rows, "total": total,
        "num_flagged": num_flagged, "flagged": flagged, "search": search, "start": start,
        "limit": limit, "link": link, "is_reading": is_reading,
    }  # fmt: skip
    return Page("gallery.html", values, refresh_s=2 if is_reading and not viewer.settings.is_static else None)


def _name_tasks(entries: Sequence[RunEntry]) -> list[tuple[str, str]]:
    """Return the tasks with their names for readers: the scenario's, and the arguments in which its tasks differ."""
    titles = {entry.task: str(entry.summary.get("title") or family_of(entry.task)) for entry in entries}
    families: dict[str, list[str]] = {}
    for task in sorted(titles):
        families.setdefault(family_of(task), []).append(task)
    return [
        (task, ": ".join(filter(None, (titles[task], label))))
        for tasks in families.values()
        for task, label in zip(tasks, label_tasks(tasks), strict=True)
    ]


def _open(viewer: Viewer, column: Column, stack: ExitStack, wanted_rows: int) -> RunIndex | None:
    """Open the index of a run; None while it is being made."""
    index = viewer.indexer.open_instances(column.entry.path, wanted_rows=wanted_rows)
    column.is_being_read = index is None or not index.state.is_final
    if index is None:
        return None
    stack.enter_context(index)
    metric = main_metric(column.entry)
    if metric in index.state.metrics:
        column.metric, column.metric_title = metric, title_metric(metric)
    return index


def _find_rows(
    viewer: Viewer, columns: Sequence[Column], indexes: Sequence[RunIndex | None], flagged: str, search: str,
    start: int, limit: int,
) -> tuple[list[Row], int, int]:  # fmt: skip
    """Return a page of rows, the number of all rows that fit, and the number of prompts with a flagged picture.

    The rows are the prompts of the largest run, in its order, and below them those that only other runs have.
    """
    known = [index for index in indexes if index is not None]
    marked: set[UnitKey] = set()
    found: dict[UnitKey, tuple[RunIndex, int]] = {}
    for index in sorted(known, key=lambda index: -index.count()):
        if index.state.is_final:
            marked |= index.keys_above_zero(list(FLAGS))
        for key, number in index.numbers_by_key(UnitFilter(search=search)).items():
            found.setdefault(key, (index, number))
    fitting = [place for key, place in found.items() if not flagged or (key in marked) == (flagged == "only")]
    rows = []
    for base, number in fitting[start : start + limit]:
        unit = base.unit(number)
        assert unit is not None
        cells = [
            _make_cell(viewer, column, index, unit) if index is not None else None
            for column, index in zip(columns, indexes, strict=True)
        ]
        rows.append(Row(unit, cells))
    return rows, len(fitting), len(marked)


def _make_cell(viewer: Viewer, column: Column, index: RunIndex, wanted: UnitRow) -> Cell | None:
    unit = next((unit for unit in index.versions(wanted.id) if unit.key == wanted.key), None)
    if unit is None:
        return None
    path = column.entry.path
    cell = Cell(unit, instance_link(path, unit))
    try:
        states, entries = index.read_states(unit.number), index.read_stats(unit.number)
    except (HelmError, OSError) as e:
        cell.absent = str(e)
        return cell
    values = _values_of(entries)
    cell.score = values.get(column.metric)
    made = [item for item in list_media(viewer, path, unit, states, values) if item.place == "response"]
    pictures = [item for item in made if item.kind == "image"]
    cell.pictures, cell.num_hidden = pictures[:_MOST_SHOWN], max(0, len(pictures) - _MOST_SHOWN)
    cell.flags = pictures[0].flags if pictures else ()
    if not pictures:
        cell.absent = _explain(unit, bool(made))
    return cell


def _explain(unit: UnitRow, is_named: bool) -> str:
    """Say why there is no picture."""
    if unit.outcome == ANSWERED:
        return "The file is not here." if is_named else f"No picture. {unit.output}".strip()
    words = {"filtered": "Refused", "empty": "Refused or empty", "failed": "Failed", "unsent": "Not sent"}
    told = unit.error or unit.status
    return words.get(unit.outcome, unit.outcome) + (f": {told}" if told and unit.outcome == "failed" else "")


def _values_of(entries: Sequence[Any]) -> Mapping[str, float]:
    """Return the means of an instance by metric; entries are as in files."""
    found: dict[str, float] = {}
    for entry in entries:
        stats = entry.get("stats") if isinstance(entry, dict) else None
        for stat in stats if isinstance(stats, list) else ():
            name = stat.get("name") if isinstance(stat, dict) else None
            value = stat.get("mean") if isinstance(stat, dict) else None
            if isinstance(name, dict) and isinstance(value, (int, float)):
                found.setdefault(str(name.get("name")), value)
    return found
