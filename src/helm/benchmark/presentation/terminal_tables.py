"""Tables for people: on the terminal as wide as it is, or as Markdown or CSV."""

import csv
import io
import re
import shutil
import sys
import unicodedata
from typing import Any, Iterable, List, Sequence, Set, TextIO, Tuple

from helm.benchmark.presentation.group_tables import format_number
from helm.benchmark.presentation.table import Cell, HeaderCell, Table

NO_VALUE = "-"
_COLUMN_GAP = 2
_MAX_CELL_WIDTH = 40
_ANSI_SEQUENCE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")


def printable(text: Any) -> str:
    """Text that came from a file, on one line and without what a terminal would take as a command."""
    text = _ANSI_SEQUENCE.sub("", str(text))
    return "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C").strip()


def cell_text(cell: Cell) -> str:
    """What a reader sees; a best value is marked with a star."""
    if cell.display_value is not None:
        text = printable(cell.display_value)
    elif cell.value is None:
        return NO_VALUE
    else:
        text = printable(format_number(cell.value))
    return f"{text} *" if (cell.style or {}).get("font-weight") == "bold" else text


def header_text(header: HeaderCell) -> str:
    """The name of a column, with an arrow to where better values are."""
    text = printable(header.display_value or header.value)
    if header.lower_is_better is None:
        return text
    return f"{text} {'↓' if header.lower_is_better else '↑'}"


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


def _wrap(text: str, width: int) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, width, break_long_words=True) or [""])


def _display_width(text: str) -> int:
    """Columns on a terminal of the longest line; wide East Asian characters take two."""
    return max(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in text.split("\n"))


def _column_blocks(columns: Sequence[Sequence[str]], width: int) -> List[List[int]]:
    """Indexes of the columns that fit beside the first one, block by block; each block holds one at least."""
    widths = [max(_display_width(text) for text in column) for column in columns]
    blocks: List[List[int]] = []
    used = width + 1
    for index in range(1, len(columns)):
        if used + _COLUMN_GAP + widths[index] > width or not blocks:
            blocks.append([])
            used = widths[0]
        blocks[-1].append(index)
        used += _COLUMN_GAP + widths[index]
    return blocks or [[]]


def format_table(table: Table, width: int = 120) -> str:
    """Plain text, split into blocks of columns where the terminal is too narrow.

    Names of columns are wrapped to about the width of their values, so that many fit side by side.
    """
    from tabulate import tabulate

    cells = [[cell_text(cell) for cell in row] for row in table.rows]
    for row in cells:
        row[0] = _wrap(row[0], _MAX_CELL_WIDTH)
    heads = []
    for i, header in enumerate(table.header):
        widest = max([_display_width(row[i]) for row in cells] + [1])
        text = header_text(header)
        heads.append(_wrap(text.replace(" - ", " ", 1), max(widest, 11)) if i else text)
    columns = [[heads[i]] + [row[i] for row in cells] for i in range(len(heads))]
    parts = []
    for block in _column_blocks(columns, width):
        shown = [0] + block
        rows = [[row[i] for i in shown] for row in cells]
        align = ["left"] + ["right"] * len(block)
        parts.append(
            tabulate(rows, [heads[i] for i in shown], tablefmt="simple", disable_numparse=True, colalign=align if rows else None)
        )
    return "\n\n".join(parts)


def format_markdown(table: Table) -> str:
    """A Markdown table."""

    def line(texts: Iterable[str]) -> str:
        return "| " + " | ".join(text.replace("\\", "\\\\").replace("|", "\\|") for text in texts) + " |"

    lines = [line(header_text(header) for header in table.header)]
    lines.append("| --- |" + " ---: |" * (len(table.header) - 1))
    lines += [line(cell_text(cell) for cell in row) for row in table.rows]
    return "\n".join(lines)


def format_csv(tables: Sequence[Tuple[str, Table]]) -> str:
    """One CSV for all tables: group, table, row, column, value (full precision), what is shown."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["group", "table", "row", "column", "value", "shown"])
    for group, table in tables:
        for row in table.rows:
            for header, cell in zip(table.header[1:], row[1:]):
                value = "" if cell.value is None else repr(cell.value) if isinstance(cell.value, float) else cell.value
                shown = printable(cell.display_value) if cell.display_value is not None else ""
                names = [printable(text) for text in (group, table.title or table.name, row[0].value, header.value)]
                writer.writerow([_defuse(name) for name in names] + [value, shown])
    return output.getvalue()


def _defuse(text: str) -> str:
    """Spreadsheets take a text that begins so for a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def choose_tables(summary: Any, only_first: bool) -> List[Tuple[str, Table]]:
    """The (group's display name, table) pairs to print; tables and columns without values are left out.

    Groups that gather others stand for them. A group that no shown group gathers is shown by itself, so that no run
    goes unseen. With `only_first` each group shows its first table: the terminal is for the overview.
    """
    chosen: List[Tuple[str, Table]] = []
    covered: Set[str] = set()
    parents = [group for group in summary.schema.run_groups if group.subgroups]
    leaves = [group for group in summary.schema.run_groups if not group.subgroups]
    for group in parents + leaves:
        tables = [table for table in summary.tables.get(group.name, []) if _has_values(table)]
        if group.name in covered or not tables:
            continue
        covered.update(subgroup.name for subgroup in summary.schema.expand_subgroups(group))
        for table in tables[:1] if only_first else tables:
            chosen.append((group.get_display_name(), _without_empty_columns(table)))
    return chosen


def print_summary(summary: Any, output_format: str = "table", stream: TextIO = sys.stdout) -> None:
    """Print the tables of a summary, then the runs that no table can show."""
    if output_format == "none":
        return
    tables = choose_tables(summary, only_first=output_format == "table")
    if output_format == "csv":
        stream.write(format_csv(tables))
        return
    width = shutil.get_terminal_size((120, 24)).columns
    for group, table in tables:
        title = printable(group) if not table.title or table.title == group else f"{printable(group)}: {printable(table.title)}"
        if output_format == "markdown":
            stream.write(f"\n### {title}\n\n{format_markdown(table)}\n")
        else:
            stream.write(f"\n{title}\n\n{format_table(table, width)}\n")
    if output_format == "table":
        _print_remarks(summary, tables, stream)


def _print_remarks(summary: Any, tables: Sequence[Tuple[str, Table]], stream: TextIO) -> None:
    if any((cell.style or {}).get("font-weight") == "bold" for _, table in tables for row in table.rows for cell in row):
        stream.write("\n* best of its column; ↑ more is better, ↓ less is better\n")
    if summary.without_results:
        stream.write(f"\nRuns without results ({len(summary.without_results)}):\n")
        for run in summary.without_results:
            stream.write(f"  {printable(run.name)}: {printable(run.reason)}\n")
    if summary.unshown:
        stream.write(f"\nRuns in no group of the schema ({len(summary.unshown)}):\n")
        for name in summary.unshown:
            stream.write(f"  {printable(name)}\n")
        stream.write("Show them with --auto-generate-schema, or name their groups in a schema (--schema-path).\n")
    stream.write(f"\n{len(summary.runs)} runs summarized; files are in {summary.path}\n")
