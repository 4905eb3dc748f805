"""Formats tables for people: fitted to the terminal, or as Markdown or CSV."""

import csv
import io
import shutil
import sys
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, TextIO

from helm.benchmark.presentation.contamination import CONTAMINATION_SYMBOLS
from helm.benchmark.presentation.summary import Summary
from helm.benchmark.presentation.table import Cell, HeaderCell, Table
from helm.benchmark.presentation.tables.group_tables import NO_MATCHING_RUNS
from helm.benchmark.presentation.tables.plain_text import metric_text, printable
from helm.common.formats.number_text import SECONDS, format_number, format_reach
from helm.results.board import BEST, TIED
from helm.results.run_files.run_folder import ERROR_FILE_NAME
from helm.results.schema import ALL_GROUPS

NOT_RUN = "-"
NO_VALUE = "n/a"
"""There are runs, but they lack this statistic."""

_MARKS = {BEST: "* best of its column, by more than chance", TIED: "≈ no difference from the best is shown"}

_MOST_FAILED = 3
"""Number of failed runs that a message names."""

_COLUMN_GAP = 2
_HEAD_PADDING = 2
"""`tabulate` makes columns this much wider than their headings."""
_MAX_CELL_WIDTH = 40
_MIN_HEAD_WIDTH = 11
_MAX_WORD_WIDTH = 20


def cell_text(cell: Cell, header: HeaderCell | None = None) -> str:
    """Return the displayed text; durations include a unit, and a symbol marks contamination."""
    return _value_text(cell, header) + (f" ({cell.note})" if cell.note else "")


def interval_text(cell: Cell) -> str:
    """Return ` ±0.04`, the larger distance from the value to an end of the interval; empty without interval or width."""
    return "" if cell.value is None else format_reach(cell.reach)


def describe_interval(cell: Cell) -> str:
    """Return `95% interval 0.41 to 0.52 (wilson, 120 instances)`; empty if there is none."""
    found = cell.estimate
    if found is None or found.low is None or found.high is None:
        return ""
    how = [str(found.method)] + ([f"{found.count} values"] if found.count else [])
    if found.clusters and found.clusters < found.count:
        how.append(f"{found.clusters} independent")
    low, high = format_number(found.low), format_number(found.high)
    return f"{100 * found.confidence:g}% interval {low} to {high} ({', '.join(how)})"


def _value_text(cell: Cell, header: HeaderCell | None) -> str:
    if cell.display_value is not None:
        return printable(cell.display_value) + _contamination_mark(cell)
    if cell.value is not None:
        unit = None if header is None else header.unit
        if unit == SECONDS and isinstance(cell.value, float):
            return cell.text(unit)
        return printable(format_number(cell.value)) + interval_text(cell) + _contamination_mark(cell)
    return NO_VALUE if cell.description not in (None, NO_MATCHING_RUNS) else NOT_RUN


def _contamination_mark(cell: Cell) -> str:
    return "" if cell.contamination is None else " " + CONTAMINATION_SYMBOLS[cell.contamination.level]


def header_text(header: HeaderCell) -> str:
    """Return the name of a column, with an arrow for the better direction."""
    return printable(header.display_value or header.value) + _arrow(header)


def _arrow(header: HeaderCell) -> str:
    return f" {header.arrow}".rstrip()


def _has_values(table: Table) -> bool:
    return any(cell.value is not None or cell.display_value is not None for row in table.rows for cell in row[1:])


def _without_empty_columns(table: Table) -> Table:
    keep = [0] + [
        i
        for i in range(1, len(table.header))
        if any(row[i].value is not None or row[i].display_value is not None for row in table.rows)
    ]
    rows = [[row[i] for i in keep] for row in table.rows]
    return Table(title=table.title, header=[table.header[i] for i in keep], rows=rows, name=table.name)


def _wrap(text: str, width: int) -> list[str]:
    """Wrap to lines of about `width`; only words longer than `_MAX_WORD_WIDTH` are broken."""
    import textwrap

    longest = max(map(len, text.split()), default=0)
    width = max(width, min(longest, _MAX_WORD_WIDTH))
    return textwrap.wrap(text, width, break_long_words=True) or [""]


def _display_width(text: str) -> int:
    """Return the width of the longest line on a terminal; wide East Asian characters take two columns."""
    return max(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in text.split("\n"))


def _column_blocks(columns: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Return the indexes of the columns that fit next to the first one, block by block; each block has at least one."""
    widths = [max(_display_width(column[0]) + _HEAD_PADDING, *map(_display_width, column)) for column in columns]
    blocks: list[list[int]] = []
    used = width + 1
    for index in range(1, len(columns)):
        if used + _COLUMN_GAP + widths[index] > width or not blocks:
            blocks.append([])
            used = widths[0]
        blocks[-1].append(index)
        used += _COLUMN_GAP + widths[index]
    return blocks or [[]]


def _common_metric(table: Table) -> HeaderCell | None:
    """Return the shared heading if all columns that show a metric show the same one, for different groups."""
    shown = [header for header in table.header if "run_group" in header.metadata]
    metrics = {
        (header.metadata["metric"], header.metadata.get("perturbation"), header.lower_is_better) for header in shown
    }
    groups = {header.metadata["run_group"] for header in shown}
    return shown[0] if len(metrics) == 1 and len(groups) == len(shown) > 1 else None


def table_title(group: str, table: Table) -> str:
    """Return `Group: table`, with the metric if all columns show the same one."""
    title = printable(group)
    if table.title and table.title not in (group, str(None)):  # None comes from a group without a display name
        title += f": {printable(table.title)}"
    common = _common_metric(table)
    if common is not None:
        metric = metric_text(common.metadata["metric"], common.unit)
        title += _arrow(common) if metric == printable(table.title) else f" ({metric}{_arrow(common)})"
    return title


def _head_lines(header: HeaderCell, width: int, with_metric: bool, with_group: bool) -> str:
    """Return the heading lines: the run group above the metric, each wrapped to about `width`."""
    group, metric = header.metadata.get("run_group"), header.metadata.get("metric")
    if group is None or metric is None:
        lines = _wrap(printable(header.display_value or header.value), width)
        return "\n".join(lines) + _arrow(header)
    lines = _wrap(printable(group), width) if with_group else []
    if with_metric or not with_group:
        perturbation = header.metadata.get("perturbation")
        metric = metric_text(metric, header.unit)
        lines += _wrap(metric if perturbation is None else printable(f"{metric} ({perturbation})"), width)
        lines[-1] += _arrow(header)
    return "\n".join(lines)


def format_table(table: Table, width: int = 120) -> str:
    """Format as plain text, split into blocks of columns if the terminal is too narrow; the best of a column is marked.

    Names of columns are broken into lines, so that many columns fit side by side.
    """
    from tabulate import tabulate

    cells = [[cell_text(cell, header) for cell, header in zip(row, table.header, strict=True)] for row in table.rows]
    for column in range(1, len(table.header)):
        if any(row[column].mark for row in table.rows):
            for row, of_row in zip(cells, table.rows, strict=True):
                row[column] += f" {of_row[column].mark or ' '}"
    for row in cells:
        row[0] = "\n".join(_wrap(row[0], _MAX_CELL_WIDTH))
    with_metric = _common_metric(table) is None
    with_group = any(str(header.value).startswith(f"{header.metadata.get('run_group')} - ") for header in table.header)
    heads = [printable(table.header[0].value)]
    for i, header in enumerate(table.header[1:], start=1):
        widest = max([_display_width(row[i]) for row in cells] + [_MIN_HEAD_WIDTH])
        heads.append(_head_lines(header, widest, with_metric, with_group))
    columns = [[heads[i]] + [row[i] for row in cells] for i in range(len(heads))]
    parts = []
    for block in _column_blocks(columns, width):
        shown = [0] + block
        rows = [[row[i] for i in shown] for row in cells]
        align = ["left"] + ["right"] * len(block) if rows else None
        heads_shown = [heads[i] for i in shown]
        parts.append(
            tabulate(
                rows, heads_shown, tablefmt="simple", disable_numparse=True, preserve_whitespace=True, colalign=align
            )
        )
    return "\n\n".join(parts)


def format_markdown(table: Table) -> str:
    """Format as a Markdown table."""

    def line(texts: Iterable[str]) -> str:
        return "| " + " | ".join(text.replace("\\", "\\\\").replace("|", "\\|") for text in texts) + " |"

    lines = [line(header_text(header) for header in table.header)]
    lines.append("| --- |" + " ---: |" * (len(table.header) - 1))
    lines += [line(cell_text(cell) for cell in row) for row in table.rows]
    return "\n".join(lines)


def format_csv(tables: Iterable[tuple[str, Table]]) -> str:
    """Format all tables as one CSV with one line per cell; values have full precision."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    columns = ["group", "table", "row", "column", "value", "shown", "contamination", "standard_error", "low", "high"]
    writer.writerow(columns)
    for group, table in tables:
        for row in table.rows:
            for header, cell in zip(table.header[1:], row[1:], strict=True):
                value = "" if cell.value is None else repr(cell.value) if isinstance(cell.value, float) else cell.value
                shown = printable(cell.display_value) if cell.display_value is not None else ""
                names = [printable(text) for text in (group, table.title or table.name, row[0].value, header.value)]
                level = "" if cell.contamination is None else cell.contamination.level
                writer.writerow([defuse(name) for name in names] + [value, shown, level, *interval_values(cell)])
    return output.getvalue()


def interval_values(cell: Cell) -> list[Any]:
    """Return standard error and both ends of the interval in full precision; missing values are empty texts."""
    found = cell.estimate
    values = (None, None, None) if found is None else (found.standard_error, found.low, found.high)
    return ["" if value is None else repr(value) for value in values]


def defuse(text: str) -> str:
    """Protect text that a spreadsheet would interpret as a formula because of its first character."""
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def contamination_levels(tables: Iterable[Table]) -> set[str]:
    """Return the levels of contamination in the cells of tables."""
    return {cell.contamination.level for table in tables for row in table.rows for cell in row if cell.contamination}


def contamination_remark(levels: Container[str]) -> str:
    """Return the legend of the symbols of these levels of contamination; empty if there are none."""
    return "; ".join(
        f"{symbol} {level} evidence that the model saw the questions in training"
        for level, symbol in CONTAMINATION_SYMBOLS.items()
        if level in levels
    )


def choose_tables(summary: Summary, only_first: bool) -> Iterator[tuple[str, Table]]:
    """Yield the (group display name, table) pairs to print; tables and columns without values are left out.

    A group that gathers others represents them. A group that no displayed group gathers is shown separately, so that no
    run is hidden. With `only_first`, each group shows its first table, and a group whose runs are all in earlier ones
    shows none: the terminal is for the overview.
    """
    covered: set[str] = set()
    runs_of = _runs_by_group(summary)
    runs_shown: set[str] = set()
    parents = [group for group in summary.schema.run_groups if group.subgroups]
    leaves = [group for group in summary.schema.run_groups if not group.subgroups]
    for group in parents + leaves:
        if group.name in covered or group.name not in summary.tables:
            continue
        names = {subgroup.name for subgroup in summary.schema.expand_subgroups(group)}
        runs = {run for name in names for run in runs_of.get(name, ())}
        repeats = only_first and bool(runs) and runs <= runs_shown and group.visibility == ALL_GROUPS
        if repeats:
            continue
        for table in filter(_has_values, summary.tables[group.name]):
            covered |= names
            runs_shown |= runs
            yield group.get_display_name(), _without_empty_columns(table)
            if only_first:
                break


def _runs_by_group(summary: Summary) -> dict[str, list[str]]:
    """Map each run group to the paths of its runs."""
    found: dict[str, list[str]] = {}
    for run in summary.runs:
        for name in run.groups:
            found.setdefault(name, []).append(run.run_path)
    return found


def render_summary(summary: Summary, output_format: str = "table", page_path: str | None = None) -> str:
    """Return what `print_summary` prints."""
    stream = io.StringIO()
    print_summary(summary, output_format, stream, page_path)
    return stream.getvalue()


def print_summary(
    summary: Summary, output_format: str = "table", stream: TextIO | None = None, page_path: str | None = None
) -> None:
    """Print the tables of a summary, then the runs that no table can show."""
    stream = stream or sys.stdout
    if output_format == "none":
        return
    tables = choose_tables(summary, only_first=output_format == "table")
    if output_format == "csv":
        stream.write(format_csv(tables))
        return
    width = shutil.get_terminal_size((120, 24)).columns
    legend = _Legend()
    for group, table in tables:
        legend.add(table)
        if output_format == "markdown":
            stream.write(f"\n### {table_title(group, table)}\n\n{format_markdown(table)}\n")
        else:
            stream.write(f"\n{table_title(group, table)}\n\n{format_table(table, width)}\n")
    if output_format == "table":
        if summary.costs is not None and any(row[-1].value is not None for row in summary.costs.rows):
            stream.write(f"\n{summary.costs.title}\n\n{format_table(summary.costs, width)}\n")
        _print_remarks(summary, legend.remarks(), width, stream, page_path)


class _Legend:
    """Gathers the symbols of the tables that are printed."""

    def __init__(self) -> None:
        self._marks: set[str] = set()
        self._levels: set[str] = set()
        self._has_direction = self._has_reach = self._has_gap = False

    def add(self, table: Table) -> None:
        cells = [cell for row in table.rows for cell in row[1:]]
        self._marks.update(cell.mark for cell in cells)
        self._levels |= contamination_levels([table])
        self._has_direction |= any(header.lower_is_better is not None for header in table.header)
        self._has_reach |= any(interval_text(cell) for cell in cells)
        self._has_gap |= any(cell_text(cell) == NOT_RUN for cell in cells)

    def remarks(self) -> list[str]:
        """Return what the symbols mean."""
        found = [text for mark, text in _MARKS.items() if mark in self._marks]
        found += ["↑ more is better, ↓ less is better"] if self._has_direction else []
        found += ["± reach of the 95% interval"] if self._has_reach else []
        found += ["- not run"] if self._has_gap else []
        return found + [text for text in [contamination_remark(self._levels)] if text]


def _print_remarks(summary: Summary, remarks: Sequence[str], width: int, stream: TextIO, page_path: str | None) -> None:
    """Print the legend, the runs that no table shows, and the location of files and page."""
    if remarks:
        stream.write("\n" + "\n".join(_wrap("; ".join(remarks), width)) + "\n")
    if summary.failed:
        stream.write("\n")
        _write_item(_failed_text([run.name for run in summary.failed]), width, stream, indent="")
    for title, runs in [
        ("Runs without results", summary.without_results),
        ("Runs shown with the results of an earlier attempt", summary.outdated),
    ]:
        if runs:
            stream.write(f"\n{title} ({len(runs)}):\n")
            for run in runs:
                _write_item(f"{run.name}: {run.reason}", width, stream)
    if summary.unshown:
        stream.write(f"\nRuns in no group of the schema ({len(summary.unshown)}):\n")
        for name in summary.unshown:
            _write_item(name, width, stream)
        hint = (
            "Show them with --auto-generate-schema (and --plugins, when a plugin made them; their scenarios need "
            "get_metadata), or name their groups in a schema (--schema-path)."
        )
        _write_item(hint, width, stream)
    for group, (shown, declared) in summary.other_metrics.items():
        text = (
            f"{group}: HELM's tables show {shown}; helm-run, helm-compare and helm-server show {declared}, which the scenario "
            "declares. So does this command with --auto-generate-schema."
        )
        stream.write("\n")
        _write_item(text, width, stream, indent="")
    count = len(summary.runs)
    stream.write(f"\n{count} run{'' if count == 1 else 's'} summarized.\nFiles: {printable(summary.path)}\n")
    if page_path:
        stream.write(f"Page:  {printable(page_path)}\n")


def _failed_text(names: Sequence[str]) -> str:
    count, more = len(names), len(names) - _MOST_FAILED
    shown = ", ".join(names[:_MOST_FAILED]) + (f" and {more} more" if more > 0 else "")
    what = "1 run failed and is in no table" if count == 1 else f"{count} runs failed and are in no table"
    return f"{what}: {shown}. Why: {ERROR_FILE_NAME} in the folder of each."


def _write_item(text: str, width: int, stream: TextIO, indent: str = "  ") -> None:
    import textwrap

    lines = textwrap.wrap(
        printable(text),
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,  # names of commands, flags and runs stay whole, so that they can be copied and searched for
    )
    stream.write("\n".join(lines) + "\n")
