"""Writes the tables of a summary for spreadsheets (`groups/csv`) and documents (`groups/markdown`)."""

import csv
import io
import os
from collections.abc import Iterable
from typing import Any

from helm.benchmark.presentation.summary import Summary
from helm.benchmark.presentation.table import Cell, Table
from helm.benchmark.presentation.tables.terminal_tables import (
    contamination_levels,
    contamination_remark,
    defuse,
    format_markdown,
    interval_values,
    printable,
    table_title,
)  # fmt: skip
from helm.results.run_files.json_files import to_file_name, write_if_changed

CSV_FOLDER = "csv"
MARKDOWN_FOLDER = "markdown"


def _csv_value(cell: Cell) -> Any:
    if cell.value is None:
        return "" if cell.display_value is None else defuse(printable(cell.display_value))
    if isinstance(cell.value, str):
        return defuse(printable(cell.value))
    return repr(cell.value) if isinstance(cell.value, float) else cell.value


def format_wide_csv(table: Table) -> str:
    """Format a table as wide CSV: one line per row, numbers in full precision.

    After the table's columns come standard error and interval of each column that has them. If any contamination is
    known, a last column gives the columns concerned and the level.
    """
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    marked = any(cell.contamination is not None for row in table.rows for cell in row)
    names = [printable(header.value) for header in table.header]
    with_interval = [i for i in range(len(names)) if any(row[i].estimate is not None for row in table.rows)]
    heads = [defuse(name) for name in names]
    heads += [f"{heads[i]} ({what})" for i in with_interval for what in ("standard error", "low", "high")]
    writer.writerow(heads + (["contamination"] if marked else []))
    for row in table.rows:
        line: list[Any] = [_csv_value(cell) for cell in row]
        line += [value for i in with_interval for value in interval_values(row[i])]
        if marked:
            found = [(name, cell.contamination) for name, cell in zip(names, row, strict=True)]
            line.append("; ".join(f"{name}: {point.level}" for name, point in found if point is not None))
        writer.writerow(line)
    return output.getvalue()


def format_group_markdown(title: str, tables: Iterable[Table]) -> str:
    """Format all tables of a group as a Markdown document."""
    parts = [f"# {printable(title)}"]
    levels: set[str] = set()
    for table in tables:
        levels |= contamination_levels([table])
        parts.append(f"## {table_title(title, table)}\n\n{format_markdown(table)}")
    remark = contamination_remark(levels)
    return "\n\n".join(parts + ([remark] if remark else [])) + "\n"


def write_table_files(summary: Summary) -> None:
    """Write `groups/csv/GROUP_TABLE.csv` and `groups/markdown/GROUP.md` to the folder of the summary."""
    folder = os.path.join(summary.path, "groups")
    for name in (CSV_FOLDER, MARKDOWN_FOLDER):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for group, tables in summary.tables.items():
        for table in tables:
            file_name = to_file_name(f"{group}_{table.name}") + ".csv"
            write_if_changed(os.path.join(folder, CSV_FOLDER, file_name), format_wide_csv(table))
        title = summary.schema.name_to_run_group[group].get_display_name()
        path = os.path.join(folder, MARKDOWN_FOLDER, to_file_name(group) + ".md")
        write_if_changed(path, format_group_markdown(title, tables))
