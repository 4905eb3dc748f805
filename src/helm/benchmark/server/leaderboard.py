"""Builds the leaderboards of a suite: subjects by tasks, scenarios and groups, for one kind of subject."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from helm.benchmark.presentation.contamination import ContaminationPoint
from helm.benchmark.presentation.table import AGGREGATE_MEAN, AGGREGATE_WIN_RATE
from helm.benchmark.server.board_scope import Scope, get_strategy, title_of
from helm.benchmark.server.failed_page import is_failed
from helm.benchmark.server.subject_names import SubjectName, name_subject
from helm.benchmark.server.task_labels import family_of, label_tasks
from helm.benchmark.server.viewer import find_answered, find_coverage
from helm.benchmark.subjects import SubjectKind
from helm.results.board import BEST, TIED, BoardCell, BoardColumn, mark_column, mean_facts
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_summary import find_interval, find_main_stat, read_estimate
from helm.results.metric_labels import find_metric_label
from helm.results.metric_names import is_ratio_metric
from helm.results.schema import RunGroup
from helm.results.statistics.intervals import (
    Estimate,
    MeanFacts,
    combine_means,
    estimate_from_facts,
    estimate_geometric_mean,
)

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

    contamination: ContaminationPoint | None = None

    is_substitute: bool = False
    """Whether the schema names another metric, which the run lacks; `helm-summarize` then shows nothing."""


@dataclass
class Column(BoardColumn):
    """A task, all tasks of one scenario, or all scenarios of one group."""

    task: str
    """The name of the task; that of several tasks ends in `:*`, that of a group in `/*`."""

    metric: str = ""

    title: str = ""
    """How readers know it; the name of the task, if the scenario gives no other."""

    is_ratio: bool = False
    """Whether its values are times, sizes or quotients, whose mean would be that of the largest."""

    tasks: list["Column"] = field(default_factory=list)
    """The columns of which this one is the mean; none for a single task."""

    is_open: bool = False
    """Whether the columns of its tasks are shown after it."""

    depth: int = 0
    """How many columns before it, each a part of the one before, it is a part of."""

    group: str = ""
    """The group of the schema that it shows; empty if the schema has none."""

    known_metric_title: str = ""

    counts: bool = True
    """Whether what sums up the board counts it: not if its metric is only a substitute for that of the schema."""

    @property
    def is_part(self) -> bool:
        """Whether it is shown as one of the parts of a column before."""
        return self.depth > 0

    @property
    def is_group(self) -> bool:
        return self.task.endswith("/*")

    @property
    def metric_title(self) -> str:
        """The name of the metric for readers."""
        label = find_metric_label(self.metric)
        return self.known_metric_title or (self.metric if label is None else label.name)

    @property
    def all_parts(self) -> list["Column"]:
        """The columns below it, those of groups and scenarios before their own parts."""
        return [column for part in self.tasks for column in (part, *part.all_parts)]


@dataclass
class Row:
    """A subject."""

    subject: str

    name: SubjectName

    cells: dict[str, Cell] = field(default_factory=dict)

    overall: Cell = field(default_factory=Cell)
    """Mean score or win rate, or the geometric mean for ratios."""

    entries: list[RunEntry] = field(default_factory=list)
    """Its runs."""


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

    scope: Scope | None = None

    places: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    """The best and the worst place that subjects may have, by column, as far as somebody asked."""

    @property
    def name(self) -> str:
        """What addresses call it."""
        group = None if self.scope is None else self.scope.group
        return self.kind.name if group is None else group.name

    @property
    def title(self) -> str:
        """The name of the schema's group, else of the kind of subject."""
        group = None if self.scope is None else self.scope.group
        return self.kind.title if group is None else group.get_display_name()

    @property
    def shown_columns(self) -> list[Column]:
        """The columns of the table: those of groups and scenarios, and after an open one its parts."""
        return [shown for column in self.columns for shown in _open(column)]

    @property
    def all_columns(self) -> list[Column]:
        """All columns, whether shown or not."""
        return [found for column in self.columns for found in (column, *column.all_parts)]

    @property
    def scenarios(self) -> list[Column]:
        """The columns of scenarios, without those of groups and tasks."""
        return [found for column in self.columns for found in (column.tasks if column.is_group else [column])]


def _open(column: Column) -> Iterator[Column]:
    yield column
    for part in column.tasks if column.is_open else ():
        yield from _open(part)


_OVERALL = {
    AGGREGATE_MEAN: ("Mean score", "Mean of the scores of all scenarios that the subject has"),
    AGGREGATE_WIN_RATE: (
        "Mean win rate",
        "Share of the other subjects that are beaten, ties half, mean over scenarios",
    ),
    "": ("", ""),
}
"""Titles and explanations of the columns that sum up others, by the strategy of the schema."""


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
    title, explanation = _OVERALL[strategy]
    if kind.has_ratio_scores:
        title, explanation = "Geometric mean", "Over all programs of the suite; only where all have a value"
    board = Board(kind, title, explanation, scope=scope)
    columns, rows = _add_tasks(entries, scope)
    board.rows, board.num_subjects = list(rows.values()), len(rows)
    if kind.has_ratio_scores:
        board.columns = columns
        _name_columns(columns, scope)
    else:
        scenarios = _gather_families(columns, board.rows, set(opened), scope)
        board.columns = scenarios
        if scope is not None and scope.group is not None:
            board.columns = _gather_groups(scope, scope.group, scenarios, board.rows, set(opened))
    for column in {id(column): column for column in (*columns, *board.all_columns)}.values():
        cells = [row.cells.get(column.task) for row in board.rows]
        shown_cells = [cell if cell is not None and cell.name == column.metric else None for cell in cells]
        mark_column(shown_cells, column.lower_is_better)
    _add_overall(board, strategy)
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
        cell, shown = _make_scoped_cell(entry, scope)
        known = row.cells.get(entry.task)
        if known is not None and known.value is not None:
            if cell.value is None:
                continue
            cell.note = _join(cell.note, "one of several runs")
        row.cells[entry.task] = cell
        if cell.name and not column.metric:
            column.metric, column.unit, column.counts = cell.name, cell.unit, not cell.is_substitute
            column.lower_is_better = None if shown is None else shown.get("lower_is_better")
            column.is_ratio = shown is not None and bool(shown.get("is_ratio"))
    return list(columns.values()), rows


def _shown_main(entry: RunEntry) -> Mapping[str, Any] | None:
    """Return the main score that tables show: for tools, the time of the derivative rather than its correctness."""
    found = entry.summary.get("main") or []
    return found[entry.subject_kind.shown_score] if found else None


def _make_scoped_cell(entry: RunEntry, scope: Scope | None) -> tuple[Cell, Mapping[str, Any] | None]:
    """Return the main score of a run with its properties: that which the schema of the board names, if it names another."""
    cell, shown = make_cell(entry), _shown_main(entry)
    candidates = [] if scope is None or entry.subject_kind.main_scores else scope.list_main_metrics(entry)
    if scope is None or scope.read_stats is None or not candidates or cell.name == candidates[0][0]:
        return cell, shown
    stats, intervals = scope.read_stats(entry.path)
    found = next((row for name, split in candidates if (row := find_main_stat(stats, name, split)) is not None), None)
    if found is None:
        cell.is_substitute = True
        return cell, shown
    if found[0] == cell.name:
        return cell, shown
    known = scope.schema.name_to_metric.get(found[0])
    cell.name, cell.value, cell.unit = found[0], found[5], entry.unit(found[0])
    score = {"name": found[0], "split": found[1], "sub_split": found[2], "value": found[5]}
    interval = find_interval(intervals, score)
    cell.estimate = None if interval is None else read_estimate(interval, found[5])
    lower_is_better = None if known is None else known.lower_is_better
    return cell, {"lower_is_better": lower_is_better, "is_ratio": is_ratio_metric(found[0])}


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


def _families_of(
    columns: Sequence[Column], rows: Sequence[Row], scope: Scope | None
) -> dict[str, tuple[str, str, list[Column]]]:
    """Return the tasks of each scenario, with the name of its group in the schema and its title; in the schema's order."""
    found: dict[str, tuple[str, str, list[Column]]] = {}
    leaves = [] if scope is None else scope.leaves
    order = {group.name: number for number, group in enumerate(leaves)}
    entries: dict[str, RunEntry] = {}
    for row in rows:
        for entry in row.entries:
            entries.setdefault(entry.task, entry)
    for column in columns:
        groups = [] if scope is None else scope.leaves_of(entries[column.task])
        for group in groups:
            if group.name not in found:
                found[group.name] = (group.name, title_of(group) if group.display_name else "", [])
            known = found[group.name][2]
            known.append(column if group is groups[0] else replace(column))
        if not groups:
            found.setdefault(family_of(column.task), ("", "", []))[2].append(column)
    return dict(sorted(found.items(), key=lambda item: order.get(item[1][0], len(order))))


def _gather_families(
    columns: Sequence[Column], rows: Sequence[Row], opened: set[str], scope: Scope | None = None
) -> list[Column]:
    """Return a column for each scenario, the mean of its tasks if there are several with one metric."""
    found = []
    for name, (group, shown, tasks) in _families_of(columns, rows, scope).items():
        are_alike = len({(task.metric, task.lower_is_better, task.unit) for task in tasks}) == 1
        titles = {task.title for task in tasks}
        title = shown or (titles.pop() if len(titles) == 1 else "")
        labels = label_tasks([task.task for task in tasks])
        for task in tasks:
            task.group = group
            task.known_metric_title = "" if scope is None else scope.metric_title(task.metric)
        if len(tasks) == 1 or not are_alike or tasks[0].is_ratio:
            for task, label in zip(tasks, labels, strict=True):
                task.title = ": ".join(filter(None, (title or task.title or name, label)))
            found += tasks
            _mark_contamination(tasks, rows, scope)
            continue
        first = tasks[0]
        family = Column(f"{name}:*", first.metric, title or name, tasks=tasks, group=group)
        family.known_metric_title, family.counts = first.known_metric_title, first.counts
        family.lower_is_better, family.unit, family.is_open = first.lower_is_better, first.unit, family.task in opened
        for task, label in zip(tasks, labels, strict=True):
            task.title, task.depth = label, 1
        for row in rows:
            cell = _mean_cell([row.cells[task.task] for task in tasks if task.task in row.cells], family)
            if cell is not None:
                row.cells[family.task] = cell
        _mark_contamination([family, *tasks], rows, scope)
        found.append(family)
    return found


def _mark_contamination(columns: Sequence[Column], rows: Sequence[Row], scope: Scope | None) -> None:
    for row in rows if scope is not None else ():
        for column in columns:
            cell = row.cells.get(column.task)
            if cell is not None and column.group and scope is not None:
                cell.contamination = scope.find_contamination(row.subject, column.group)


def _name_columns(columns: Sequence[Column], scope: Scope | None) -> None:
    for column in columns if scope is not None else ():
        column.known_metric_title = scope.metric_title(column.metric) if scope is not None else ""


def _gather_groups(
    scope: Scope, top: RunGroup, scenarios: Sequence[Column], rows: Sequence[Row], opened: set[str]
) -> list[Column]:
    """Return a column for each group below the board's that gathers others, and those of scenarios that none of them gathers."""
    found: list[Column] = []
    placed: set[str] = set()
    for group in (scope.schema.name_to_run_group.get(name) for name in top.subgroups):
        if group is None:
            continue
        names = {below.name for below in scope.schema.expand_subgroups(group)}
        parts = [column for column in scenarios if column.group in names and column.task not in placed]
        placed.update(column.task for column in parts)
        strategy = get_strategy(scope.schema, group)
        if not group.subgroups or sum(part.counts for part in parts) < 2 or not strategy:
            found += parts
            continue
        column = Column(f"{group.name}/*", _OVERALL[strategy][0], title_of(group), tasks=parts, group=group.name)
        column.lower_is_better, column.is_open = False, f"{group.name}/*" in opened
        for part in parts:
            for below in (part, *part.all_parts):
                below.depth += 1
        counting = [part for part in parts if part.counts]
        for row, cell in zip(rows, _sum_up(counting, rows, strategy), strict=True):
            if cell is not None:
                row.cells[column.task] = cell
        found.append(column)
    return found + [column for column in scenarios if column.task not in placed]


def _sum_up(columns: Sequence[Column], rows: Sequence[Row], strategy: str) -> list[Cell | None]:
    """Return what sums up columns for each row, as `helm-summarize` does: the mean of the scores, or of the win rates."""
    name = _OVERALL[strategy][0]
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


def _own_cell(row: Row, column: Column) -> Cell | None:
    """Return the cell of a row if it has a value of the column's metric."""
    cell = row.cells.get(column.task)
    return None if cell is None or cell.value is None or cell.name != column.metric else cell


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


def _add_overall(board: Board, strategy: str) -> None:
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


def _facts(cell: Cell | None, column: Column) -> MeanFacts | None:
    """Return the score of a cell as a mean with its variance, as far as known."""
    if cell is None or cell.value is None or cell.name != column.metric:
        return None
    return mean_facts(cell.known_estimate())


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
