"""One self-contained page with the tables of a suite: no script, no request to anywhere."""

import json
import os
from html import escape
from typing import Any, Dict, List

from helm.common.files import write_text_atomically

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


def cell_text(cell: Dict[str, Any]) -> str:
    """What a cell shows: its display value, a number to three significant decimals, or a dash when there is none."""
    if "display_value" in cell:
        return str(cell["display_value"])
    value = cell.get("value")
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}" if value and abs(value) < 0.001 else f"{value:.3f}".rstrip("0").rstrip(".")
    return str(value)


def _cell(cell: Dict[str, Any]) -> str:
    classes = []
    if cell.get("style", {}).get("font-weight") == "bold":
        classes.append("best")
    if cell.get("value") is None and "display_value" not in cell:
        classes.append("none")
    attributes = f' class="{" ".join(classes)}"' if classes else ""
    if cell.get("description"):
        attributes += f' title="{escape(str(cell["description"]))}"'
    return f"<td{attributes}>{escape(cell_text(cell))}</td>"


def _table(table: Dict[str, Any]) -> str:
    header = "".join(
        f'<th scope="col" title="{escape(str(cell.get("description", "")))}">{escape(str(cell.get("value", "")))}</th>'
        for cell in table["header"]
    )
    rows = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in table["rows"])
    return (
        f"<h3>{escape(table['title'])}</h3>\n"
        f'<div class="scroll"><table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
    )


def render_page(title: str, groups: List[Dict[str, Any]]) -> str:
    """The page. Each group is `{"name", "description", "tables"}`, the tables as in `groups/GROUP.json`.

    Every text is escaped: names and labels come from result files.
    """
    sections = []
    for group in groups:
        tables = [_table(table) for table in group["tables"] if table.get("header") and table.get("rows")]
        if tables:
            note = f'<p class="note">{escape(group["description"])}</p>' if group.get("description") else ""
            sections.append(
                f"<section>\n<h2>{escape(group['name'])}</h2>\n{note}\n" + "\n".join(tables) + "\n</section>"
            )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        '<p class="note">Bold: the best value of a column. Point at a cell for its spread and count.</p>\n'
        + "\n".join(sections)
        + "\n</body>\n</html>\n"
    )


def write_page(folder: str, title: str) -> str:
    """Write `index.html` from the group files in a suite's or release's folder; returns its path."""
    groups = []
    metadata_path = os.path.join(folder, "groups_metadata.json")
    with open(metadata_path, encoding="utf-8") as file:
        metadata = json.load(file)
    for name, info in metadata.items():
        path = os.path.join(folder, "groups", f"{name}.json")
        if os.path.basename(path) != f"{name}.json" or not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            tables = json.load(file)
        groups.append(
            {"name": info.get("display_name") or name, "description": info.get("description"), "tables": tables}
        )
    path = os.path.join(folder, PAGE_FILE_NAME)
    write_text_atomically(path, render_page(title, groups))
    return path
