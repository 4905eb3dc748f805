"""Tables as stored in files, their summary columns, and LaTeX."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from helm.benchmark.presentation.contamination import ContaminationPoint
from helm.common.errors import ConfigError
from helm.results.board import BoardCell, BoardColumn

if TYPE_CHECKING:
    from helm.results.run_files.run_reader import Run
    from helm.results.schema import MetricNameMatcher

AGGREGATE_WIN_RATE = "win_rate"
AGGREGATE_MEAN = "mean"


@dataclass(frozen=True)
class CellSources(Sequence["tuple[Run, MetricNameMatcher]"]):
    """The runs of a cell, each with the matcher of its statistic. Cells of a row share one tuple of runs where they can."""

    runs: "tuple[Run, ...]"

    matchers: "tuple[MetricNameMatcher, ...]"
    """One for each run, or one for all."""

    def __len__(self) -> int:
        return len(self.runs)

    @overload
    def __getitem__(self, index: int) -> "tuple[Run, MetricNameMatcher]": ...

    @overload
    def __getitem__(self, index: slice) -> "list[tuple[Run, MetricNameMatcher]]": ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        run = self.runs[index]
        return run, self.matchers[index if len(self.matchers) > 1 else 0]


@dataclass
class Cell(BoardCell):
    """A value of a table. Fields of `BoardCell` other than the value are not written to files, because HELM writes none."""

    value: Any = None
    """Number or text. None shows nothing."""

    display_value: str | None = None
    """What to show instead of the value."""

    description: str | None = None
    """Source of the value, or why there is none."""

    href: str | None = None
    """Target of the cell's link."""

    style: dict[str, Any] | None = None
    """CSS properties."""

    markdown: bool = False
    """Whether the value is Markdown."""

    run_spec_names: list[str] | None = None
    """Names of the runs from which the value was computed."""

    def __post_init__(self) -> None:
        self.contamination: ContaminationPoint | None = None
        """What the model may have seen of the questions. Not a field, so not written to files."""
        self.sources: Sequence[tuple[Run, MetricNameMatcher]] = ()
        """The runs and matchers of the statistics whose mean the value is. Not a field either."""


@dataclass
class HeaderCell(BoardColumn):
    """The heading of a column. Its unit is not a field, as in `Cell`."""

    value: Any

    display_value: str | None = None

    description: str | None = None

    markdown: bool = False

    lower_is_better: bool | None = None
    """Whether lower values are better. None means neither direction is."""

    metadata: dict[str, str] = field(default_factory=dict)
    """The `metric`, `run_group` and `perturbation` of the column."""


@dataclass
class Hyperlink:
    """A named link below a table."""

    text: str

    href: str


@dataclass
class Table:
    """A title, a header and rows of equal length."""

    title: str

    header: list[HeaderCell]

    rows: list[list[Cell]]

    links: list[Hyperlink] = field(default_factory=list)

    name: str | None = None
    """Used in file names."""

    description: str | None = None


def _present(item: Any) -> dict[str, Any]:
    """Return the fields of a cell or link that are not None, as stored in files; `note` and the like are not fields."""
    return {name: value for name in item.__dataclass_fields__ if (value := getattr(item, name)) is not None}


def table_to_plain(table: Table) -> dict[str, Any]:
    """Return the table as stored in JSON: equals `asdict_without_nones`, but is several times faster."""
    plain: dict[str, Any] = {"title": table.title}
    plain["header"] = [_present(head) for head in table.header]
    plain["rows"] = [[_present(cell) for cell in row] for row in table.rows]
    plain["links"] = [_present(link) for link in table.links]
    if table.name is not None:
        plain["name"] = table.name
    if table.description is not None:
        plain["description"] = table.description
    return plain


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _median(values: Sequence[float]) -> float:
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _column(table: Table, index: int) -> list[float | None]:
    return [row[index].value for row in table.rows]


def compute_win_rates(values: Sequence[float | None], lower_is_better: bool) -> list[float | None]:
    """Return the fraction of the other values that each value beats, in [0, 1]; a tie counts half.

    Ties need exact equality. None stays None; with fewer than two values there is no rate.
    """
    present = [value for value in values if value is not None]
    if len(present) < 2:
        return [None] * len(values)
    rates: list[float | None] = []
    for value in values:
        if value is None:
            rates.append(None)
            continue
        worse = sum(other > value if lower_is_better else other < value for other in present)
        equal = sum(other == value for other in present) - 1
        rates.append((worse + equal / 2) / (len(present) - 1))
    return rates


def compute_aggregate_row_win_rates(table: Table, aggregation: str = "mean") -> list[float | None]:
    """Return each row's mean or median win rate over the columns with a direction; None if there are none.

    Columns without numbers (the labels) have no direction, so they are left out.
    """
    assert aggregation in ("mean", "median"), f"aggregation must be mean or median, not {aggregation}"
    combine = _mean if aggregation == "mean" else _median
    per_row: list[list[float]] = [[] for _ in table.rows]
    for index, header in enumerate(table.header):
        if header.lower_is_better is None:
            continue
        for row, rate in zip(per_row, compute_win_rates(_column(table, index), header.lower_is_better), strict=True):
            if rate is not None:
                row.append(rate)
    return [combine(rates) if rates else None for rates in per_row]


def compute_aggregate_row_means(table: Table, skip_columns: int = 0) -> list[float | None]:
    """Return the mean of each row's values, from column `skip_columns` on; None for a row without values.

    Raises: ConfigError if the columns disagree about which direction is better, which makes their mean meaningless.
    """
    directions = {header.lower_is_better for header in table.header[skip_columns:]}
    if len(directions) != 1:
        found = ", ".join(sorted(str(direction) for direction in directions)) or "no column"
        raise ConfigError(
            f"Table '{table.title}': a mean score needs columns with one value of lower_is_better, found {found}. "
            "Remove 'mean' from the aggregation_strategies of its metric group."
        )
    means: list[float | None] = []
    for row in table.rows:
        values = [cell.value for cell in row[skip_columns:] if cell.value is not None]
        means.append(_mean(values) if values else None)
    return means


def mark_best_values(table: Table) -> None:
    """Mark the best values of every column with a direction in bold, including ties."""
    for index, header in enumerate(table.header):
        if header.lower_is_better is None:
            continue
        values = [value for value in _column(table, index) if value is not None]
        if not values:
            continue
        best = min(values) if header.lower_is_better else max(values)
        for row in table.rows:
            if row[index].value == best and row[index].value is not None:
                row[index].style = {**(row[index].style or {}), "font-weight": "bold"}


def table_to_latex(table: Table, table_name: str, skip_blank_columns: bool = True) -> str:
    """Return the table as a LaTeX float, dropping columns without values unless `skip_blank_columns` is false.

    HELM: a zero is shown as an empty cell, and only the percent sign is escaped.
    """
    shown = [
        i
        for i in range(len(table.header))
        if not (skip_blank_columns and all(row[i].value is None for row in table.rows))
    ]
    lines = [
        r"\begin{table*}[htp]",
        r"\resizebox{\textwidth}{!}{",
        r"\begin{tabular}{l" + "r" * (len(shown) - 1) + "}",
        r"\toprule",
        " & ".join(str(table.header[i].value) for i in shown) + r" \\",
        r"\midrule",
    ]
    for row in table.rows:
        lines.append(" & ".join(str(row[i].display_value or row[i].value or "") for i in shown) + r" \\")
    lines += [
        r"\bottomrule",
        r"\end{tabular}}",
        r"\caption{Results for " + table_name + "}",
        r"\label{fig:" + table_name + "}",
        r"\end{table*}",
    ]
    return "\n".join(lines).replace("%", r"\%")
