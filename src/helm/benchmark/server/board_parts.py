"""What a leaderboard consists of: cells, columns, rows and the table itself."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from helm.benchmark.presentation.contamination import ContaminationPoint
from helm.benchmark.server.board_scope import Scope
from helm.benchmark.server.subject_names import SubjectName
from helm.benchmark.subjects import SubjectKind
from helm.results.board import BoardCell, BoardColumn
from helm.results.index.index_folder import RunEntry
from helm.results.metric_labels import find_metric_label


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
