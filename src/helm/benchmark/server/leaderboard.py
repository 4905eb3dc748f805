"""Builds the leaderboards of a suite: subjects by tasks, one table per kind of subject."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.links import page_link
from helm.benchmark.server.subject_names import SubjectName, name_subject
from helm.benchmark.server.table_page import has_tables
from helm.benchmark.server.task_labels import family_of, label_tasks
from helm.benchmark.server.viewer import Page, Query, Viewer, find_answered, find_coverage
from helm.benchmark.subjects import SubjectKind, subject_kinds
from helm.results.board import BEST, TIED, BoardCell, BoardColumn, mark_column, mean_facts
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_summary import read_estimate
from helm.results.metric_labels import find_metric_label
from helm.results.statistics.intervals import MeanFacts, combine_means, estimate_from_facts, estimate_geometric_mean

_BY_SUBJECT = "subject"

_MOST_NAMED = 3
"""How many subjects the sentence above a board names."""

# Below this share of answered requests, a column of several tasks says it.
_NEARLY_ALL = 0.95


@dataclass
class Cell(BoardCell):
    """A score of a subject in a column."""

    entry: RunEntry | None = None
    """The run; None for the mean of several tasks."""

    name: str = ""
    """The metric of the value: runs of one task may show different metrics."""

    unit: str | None = None


@dataclass
class Column(BoardColumn):
    """A task, or all tasks of one scenario."""

    task: str
    """The name of the task; that of several tasks ends in `:*`."""

    metric: str = ""

    title: str = ""
    """How readers know it; the name of the task, if the scenario gives no other."""

    is_ratio: bool = False
    """Whether its values are times, sizes or quotients, whose mean would be that of the largest."""

    tasks: list["Column"] = field(default_factory=list)
    """The columns of which this one is the mean; none for a single task."""

    is_open: bool = False
    """Whether the columns of its tasks are shown after it."""

    is_part: bool = False
    """Whether it is shown as one of the tasks of the column before."""

    @property
    def metric_title(self) -> str:
        """The name of the metric for readers."""
        label = find_metric_label(self.metric)
        return self.metric if label is None else label.name


@dataclass
class Row:
    """A subject."""

    subject: str

    name: SubjectName

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
    """One for each scenario."""

    rows: list[Row] = field(default_factory=list)

    num_subjects: int = 0
    """The number of rows before the search."""

    sentence: str = ""
    """Who leads, as far as that is shown."""

    @property
    def shown_columns(self) -> list[Column]:
        """The columns of the table: those of scenarios, and after an open one those of its tasks."""
        return [shown for column in self.columns for shown in (column, *(column.tasks if column.is_open else ()))]


def leaderboard(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the first page."""
    suite, entries = viewer.suite_entries(query, with_failed=True)
    sort, search, opened = query.get("sort"), query.get("q").strip(), query.all("open")
    shown = [entry for entry in entries if not is_failed(entry)]
    boards = [
        make_board(kind, [entry for entry in shown if entry.subject_kind is kind], sort, opened, search)
        for kind in subject_kinds()
    ]
    counts = {
        status: sum(e.summary.get("status") == status for e in entries) for status in ("done", "failed", "unfinished")
    }

    def link(**changes: Any) -> str:
        given = {"suite": suite, "sort": sort, "q": search, "open": opened, **changes}
        return page_link("", **given)

    def toggle(column: Column) -> str:
        """Return the URL of the board with a scenario opened or closed; an exported site has one open at a time."""
        others = [] if viewer.settings.is_static else [name for name in opened if name != column.task]
        return link(open=others if column.is_open else [*others, column.task])

    values = {
        "boards": [board for board in boards if board.num_subjects], "counts": counts, "num_runs": len(entries),
        "sort": sort, "search": search, "opened": opened, "link": link, "toggle": toggle,
        "has_tables": has_tables(viewer, suite),
    }  # fmt: skip
    return Page("leaderboard.html", values, viewer.refresh_while_busy())


def make_board(
    kind: SubjectKind, entries: Sequence[RunEntry], sort: str = "", opened: Iterable[str] = (), search: str = ""
) -> Board:
    """Build the leaderboard of runs of one kind.

    Args:
        sort: a column, `subject` or `overall`, which is the default.
        opened: the columns whose tasks are shown.
        search: shows only the subjects with this text in a name; what is best is found among all.
    """
    board = Board(
        kind,
        "Geometric mean" if kind.has_ratio_scores else "Mean win rate",
        "Over all programs of the suite; only where all have a value"
        if kind.has_ratio_scores
        else "Share of the other subjects that are beaten, ties half, mean over scenarios",
    )
    columns, rows = _add_tasks(entries)
    board.rows, board.num_subjects = list(rows.values()), len(rows)
    board.columns = columns if kind.has_ratio_scores else _gather_families(columns, board.rows, set(opened))
    for column in (*columns, *board.columns):
        cells = [row.cells.get(column.task) for row in board.rows]
        shown_cells = [cell if cell is not None and cell.name == column.metric else None for cell in cells]
        mark_column(shown_cells, column.lower_is_better)
    _add_overall(board)
    _sort(board, sort)
    board.sentence = _describe_leaders(board)
    if search:
        board.rows = [row for row in board.rows if row.name.has(search)]
    return board


def _add_tasks(entries: Sequence[RunEntry]) -> tuple[list[Column], dict[str, Row]]:
    """Return a column for each task, and the rows with their cells."""
    columns: dict[str, Column] = {}
    rows: dict[str, Row] = {}
    for entry in entries:
        row = rows.get(entry.subject)
        if row is None:
            row = rows[entry.subject] = Row(entry.subject, name_subject(entry.subject))
        column = columns.setdefault(entry.task, Column(entry.task, title=str(entry.summary.get("title") or "")))
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
            column.is_ratio = shown is not None and bool(shown.get("is_ratio"))
    return list(columns.values()), rows


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


def _gather_families(columns: Sequence[Column], rows: Sequence[Row], opened: set[str]) -> list[Column]:
    """Return a column for each scenario, the mean of its tasks if there are several with one metric."""
    families: dict[str, list[Column]] = {}
    for column in columns:
        families.setdefault(family_of(column.task), []).append(column)
    found = []
    for name, tasks in families.items():
        are_alike = len({(task.metric, task.lower_is_better, task.unit) for task in tasks}) == 1
        titles = {task.title for task in tasks}
        title = titles.pop() if len(titles) == 1 else ""
        labels = label_tasks([task.task for task in tasks])
        if len(tasks) == 1 or not are_alike or tasks[0].is_ratio:
            for task, label in zip(tasks, labels, strict=True):
                task.title = ": ".join(filter(None, (title or task.title or name, label)))
            found += tasks
            continue
        first = tasks[0]
        family = Column(f"{name}:*", first.metric, title or name, tasks=tasks)
        family.lower_is_better, family.unit, family.is_open = first.lower_is_better, first.unit, family.task in opened
        for task, label in zip(tasks, labels, strict=True):
            task.title, task.is_part = label, True
        for row in rows:
            cell = _mean_cell([row.cells[task.task] for task in tasks if task.task in row.cells], family)
            if cell is not None:
                row.cells[family.task] = cell
        found.append(family)
    return found


def _mean_cell(cells: Sequence[Cell], family: Column) -> Cell | None:
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
        found.note = _join(found.note, f"{100 * found.answered:.0f}% answered")
    return found


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


def _describe_leaders(board: Board) -> str:
    """Say who leads: by the mean if there is one, else in the only column."""
    cells = [(row, row.overall) for row in board.rows]
    what = board.overall_title[0].lower() + board.overall_title[1:]
    if len(board.columns) == 1:
        column = board.columns[0]
        cells = [(row, row.cells[column.task]) for row in board.rows if column.task in row.cells]
        what = column.metric_title
    best = [row.name.title for row, cell in cells if cell.mark == BEST]
    if best:
        return f"{best[0]} leads in {what}, by more than chance."
    tied = sorted(((cell.value, row.name.title) for row, cell in cells if cell.mark == TIED), reverse=True)
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
    every = [column for top in board.columns for column in (top, *top.tasks)]
    column = next((column for column in every if column.task == sort), None)
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
