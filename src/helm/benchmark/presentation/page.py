"""A single self-contained page with the tables of a suite: no scripts, no requests."""

import os
from html import escape

from helm.benchmark.presentation.contamination import CONTAMINATION_STYLES
from helm.benchmark.presentation.summary import Summary
from helm.benchmark.presentation.table import Cell, HeaderCell, Table
from helm.benchmark.presentation.tables.terminal_tables import (
    cell_text,
    choose_tables,
    contamination_levels,
    contamination_remark,
    describe_interval,
    header_text,
    printable,
    table_title,
)  # fmt: skip
from helm.common.files import write_text_atomically
from helm.common.formats.number_text import SECONDS
from helm.results.board import TIED

PAGE_FILE_NAME = "index.html"

_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.3rem; font-weight: 600; }
p.note { margin: 0; opacity: 0.75; }
div.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.9rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; font-weight: 600; }
td.best { font-weight: 700; }
td.none { opacity: 0.5; }
"""
_STYLE += "".join(
    f"td.contamination-{level} {{ {'; '.join(f'{name}: {value}' for name, value in style.items())}; }}\n"
    for level, style in CONTAMINATION_STYLES.items()
)


def _cell(cell: Cell, header: HeaderCell) -> str:
    classes = [] if cell.contamination is None else [f"contamination-{cell.contamination.level}"]
    if cell.is_best:
        classes.append("best")
    if cell.value is None and cell.display_value is None:
        classes.append("none")
    attributes = f' class="{" ".join(classes)}"' if classes else ""
    contamination = cell.contamination and cell.contamination.description
    notes = [text for text in (describe_interval(cell), cell.description, contamination) if text]
    if notes:
        attributes += f' title="{escape("; ".join(map(printable, notes)))}"'
    tied = f" {TIED}" if cell.is_tied else ""
    return f"<td{attributes}>{escape(cell_text(cell, header))}{tied}</td>"


def _head(head: HeaderCell) -> str:
    """Return the heading: the run group above the metric."""
    text, group = header_text(head), printable(head.metadata.get("run_group", ""))
    rest = text.removeprefix(f"{group} - ") if group else text
    rest = rest.replace(f" ({SECONDS})", "") if head.unit == SECONDS else rest
    return f"{escape(group)}<br>{escape(rest)}" if rest != text and group and text.startswith(group) else escape(rest)


def _table(group: str, table: Table) -> str:
    header = "".join(
        f'<th scope="col" title="{escape(printable(head.description or ""))}">{_head(head)}</th>'
        for head in table.header
    )
    rows = "\n".join(
        "<tr>" + "".join(_cell(cell, head) for cell, head in zip(row, table.header, strict=True)) + "</tr>"
        for row in table.rows
    )
    return (
        f"<h3>{escape(table_title(group, table))}</h3>\n"
        f'<div class="scroll" tabindex="0"><table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
    )


def render_page(title: str, summary: Summary) -> str:
    """Render the page with every table of the summary. All text is escaped, because names and labels come from result files."""
    sections: dict[str, list[str]] = {}
    levels: set[str] = set()
    for group, table in choose_tables(summary, only_first=False):
        levels |= contamination_levels([table])
        sections.setdefault(group, []).append(_table(group, table))
    body = [
        f"<section>\n<h2>{escape(printable(group))}</h2>\n" + "\n".join(parts) + "\n</section>"
        for group, parts in sections.items()
    ]
    remark = contamination_remark(levels)
    key = f" {escape(remark)}." if remark else ""
    if summary.costs is not None and summary.costs.rows:
        body.append(f"<section>\n{_table('', summary.costs)}\n</section>")
    for heading, remarks in [
        ("Runs that failed", summary.failed),
        ("Runs without results", summary.without_results),
        ("Runs shown with the results of an earlier attempt", summary.outdated),
    ]:
        if remarks:
            items = "".join(f"<li>{escape(printable(f'{run.name}: {run.reason}'))}</li>" for run in remarks)
            body.append(f"<section>\n<h2>{heading}</h2>\n<ul>{items}</ul>\n</section>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(printable(title))}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(printable(title))}</h1>\n"
        '<p class="note">Bold: the best of a column, by more than chance; ≈: no difference from the best is shown. '
        "Point at a cell for its spread and count. "
        f"↑ more is better, ↓ less is better, ± reach of the 95% interval.{key}</p>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def write_page(summary: Summary) -> str:
    """Write `index.html` to the folder of the summary; returns its path."""
    path = os.path.join(summary.path, PAGE_FILE_NAME)
    write_text_atomically(path, render_page(f"Results: {os.path.basename(summary.path)}", summary))
    return path
