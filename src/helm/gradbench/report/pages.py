"""A report as files: one page that needs nothing else, a picture of the table, Markdown, and a picture for each eval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Optional
from xml.sax.saxutils import escape

from helm.common.files import write_text_atomically
from helm.gradbench.report.curves import draw_curves, make_panels, scaling_exponent, workload_sizes
from helm.gradbench.report.measurements import read_runs
from helm.gradbench.report.overview import (
    FORMULA,
    Cell,
    EvalResults,
    Overview,
    describe_cell,
    format_seconds,
    format_speed,
    make_overview,
)

_NO_MODULE = "–"
_PALEST = 1e-3
"""Cells of this speed and below are white."""


def write_report(folders: Sequence[Path], output: Path) -> list[Path]:
    """Compare everything in ``folders`` and write the report below ``output``.

    Returns: the files: ``index.html``, ``overview.svg``, ``overview.md`` and ``curves/EVAL.svg``.
    Raises: HelmError when a folder holds no runs or one that cannot be read.
    """
    overview = make_overview([run for folder in folders for run in read_runs(folder)])
    curves = {results.eval: draw_curves(results, overview.tools) for results in overview.evals}
    texts = {
        "index.html": draw_page(overview, curves),
        "overview.svg": draw_overview(overview),
        "overview.md": write_markdown(overview),
        **{f"curves/{name}.svg": picture for name, picture in curves.items() if picture is not None},
    }
    files = []
    for name, text in texts.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(str(path), text)
        files.append(path)
    return files


# --- one cell ------------------------------------------------------------------------------------------------------


def _cell_of(results: EvalResults, tool: str) -> Optional[Cell]:
    cell = results.cells.get(tool)
    return None if cell is None or cell.is_undefined else cell


def _absence(results: EvalResults, tool: str) -> str:
    return f"{tool} lacks {results.eval}." if tool in results.cells else f"{tool} was not run on {results.eval}."


def cell_color(cell: Cell) -> tuple[str, str]:
    """Background and text: from white, at a thousandth of the fastest, to blue, by the logarithm of the speed."""
    if not cell.num_counted:
        return "#e0e0e0", "#333333"
    share = 1 - min(1.0, math.log(max(cell.speed, _PALEST)) / math.log(_PALEST))
    lightness = 97 - 62 * share
    return f"hsl(222 70% {lightness:.0f}%)", "#ffffff" if lightness < 62 else "#111111"


def _cell_lines(cell: Optional[Cell]) -> list[str]:
    """What a cell shows: its speed, and below it the time, or how much is missing."""
    if cell is None:
        return [_NO_MODULE]
    if not cell.num_counted:
        return ["0%", max(cell.problems, key=lambda item: item[1])[0] if cell.problems else "nothing"]
    if cell.num_counted < cell.num_asked:
        return [format_speed(cell), f"{cell.num_counted} of {cell.num_asked}"]
    return [format_speed(cell), format_seconds(cell.total_s)]


# --- SVG -----------------------------------------------------------------------------------------------------------

_CELL_WIDTH, _CELL_HEIGHT, _LABELS = 92, 44, 90


def draw_overview(overview: Overview) -> str:
    """The table as a picture: evals down, tools across, notes as tooltips."""
    top = 100
    width = _LABELS + _CELL_WIDTH * len(overview.tools) + 40
    height = top + _CELL_HEIGHT * len(overview.evals) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="Speed of AD tools by eval" font-family="sans-serif" font-size="13">',
        f"<title>{escape(FORMULA)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for j, tool in enumerate(overview.tools):
        place = f"translate({_LABELS + _CELL_WIDTH * j + _CELL_WIDTH // 2} {top - 8}) rotate(-35)"
        shown = tool if len(tool) <= 16 else tool[:15] + "…"
        parts.append(f'<text transform="{place}" font-weight="bold" fill="#222">{escape(shown)}</text>')
    for i, results in enumerate(overview.evals):
        y = top + _CELL_HEIGHT * i
        parts.append(
            f'<text x="{_LABELS - 8}" y="{y + 26}" text-anchor="end" font-weight="bold" fill="#222">'
            f"{escape(results.eval)}</text>"
        )
        for j, tool in enumerate(overview.tools):
            parts.append(_draw_cell(results, tool, _LABELS + _CELL_WIDTH * j, y))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _draw_cell(results: EvalResults, tool: str, x: int, y: int) -> str:
    cell = _cell_of(results, tool)
    lines = _cell_lines(cell)
    background, text = cell_color(cell) if cell is not None else ("#ffffff", "#777777")
    note = "\n".join(describe_cell(results.eval, tool, cell)) if cell is not None else _absence(results, tool)
    middle = x + _CELL_WIDTH // 2
    shape = f'<rect x="{x + 2}" y="{y + 2}" width="{_CELL_WIDTH - 4}" height="{_CELL_HEIGHT - 4}" rx="4"'
    shape += f' fill="{background}"' + (' stroke="#cccccc"/>' if cell is not None else "/>")
    first = f'<text x="{middle}" y="{y + (20 if len(lines) > 1 else 26)}" text-anchor="middle" fill="{text}">'
    words = f"{first}{escape(lines[0])}</text>"
    if len(lines) > 1:
        words += f'<text x="{middle}" y="{y + 36}" text-anchor="middle" font-size="11" fill="{text}">{escape(lines[1])}</text>'
    return f"<g><title>{escape(note)}</title>{shape}{words}</g>"


# --- Markdown ------------------------------------------------------------------------------------------------------


def write_markdown(overview: Overview) -> str:
    """The table, what it means, and below it each cell's spread and what is missing."""
    lines = [
        "# AD tools",
        "",
        _markdown_row(["eval", *overview.tools]),
        _markdown_row(["---", *["--:"] * len(overview.tools)]),
    ]
    for results in overview.evals:
        shown = [", ".join(_cell_lines(_cell_of(results, tool))) for tool in overview.tools]
        lines.append(_markdown_row([results.eval, *shown]))
    lines += ["", FORMULA, ""]
    lines += [f"Measured on: {machine}" for machine in overview.machines] or ["The files do not say on what machine."]
    lines += ["", "## Notes", ""]
    for results in overview.evals:
        for tool in overview.tools:
            cell = _cell_of(results, tool)
            if cell is not None:
                lines.append(f"- {'; '.join(describe_cell(results.eval, tool, cell))}")
    lines += [
        "",
        "## Growth",
        "",
        "Exponent of the size with which the median time grows (least squares in logarithms).",
        "",
    ]
    rows = _growth(overview)
    if rows:
        lines += [_markdown_row(["function", *overview.tools]), _markdown_row(["---", *["--:"] * len(overview.tools)])]
        lines += [_markdown_row(row) for row in rows]
    else:
        lines.append("No eval was run with three sizes or more.")
    return "\n".join(lines) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _growth(overview: Overview) -> list[list[str]]:
    """For each function whose workloads differ in one number, how each tool's time grows with it."""
    rows = []
    for results in overview.evals:
        workloads, panels = make_panels(results)
        sizes = workload_sizes(workloads)
        for panel in panels if sizes is not None else []:
            if not panel.is_time:
                continue
            row = [panel.title.partition(",")[0]]
            for tool in overview.tools:
                points = panel.lines.get(tool, [])
                slope = scaling_exponent([sizes[p.place] for p in points], [p.value for p in points]) if sizes else None
                row.append(_NO_MODULE if slope is None else f"{slope:.2f}")
            if any(cell != _NO_MODULE for cell in row[1:]):
                rows.append(row)
    return rows


# --- HTML ----------------------------------------------------------------------------------------------------------

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #222; background: #fff }
.scroll { overflow-x: auto }
table { border-collapse: separate; border-spacing: 3px }
th { font-weight: 600; padding: .2rem .5rem } tbody th { text-align: right }
td { min-width: 5.2rem; text-align: center; border-radius: 4px; padding: .3rem .4rem }
td small { display: block; font-size: .8em } td.none { color: #777 }
td[tabindex]:focus { outline: 2px solid #d55e00 }
.scale { display: inline-block; width: 12rem; height: .8rem; border: 1px solid #ccc; vertical-align: middle;
  background: linear-gradient(to right, hsl(222 70% 97%), hsl(222 70% 35%)) }
details { margin: .5rem 0 } summary { cursor: pointer; font-weight: 600 } svg { max-width: 100%; height: auto }
"""


def draw_page(overview: Overview, curves: dict[str, Optional[str]]) -> str:
    """The whole report as one HTML page without scripts or further files."""
    head = "".join(f"<th scope='col'>{escape(tool)}</th>" for tool in overview.tools)
    rows = []
    for results in overview.evals:
        name = escape(results.eval)
        link = f"<a href='#{name}'>{name}</a>" if curves.get(results.eval) is not None else name
        cells = "".join(_html_cell(results, tool) for tool in overview.tools)
        rows.append(f"<tr><th scope='row'>{link}</th>{cells}</tr>")
    machines = "".join(f"<li>{escape(machine)}</li>" for machine in overview.machines)
    sections = []
    for results in overview.evals:
        picture = curves.get(results.eval)
        if picture is None:
            continue
        notes = "".join(
            f"<li>{escape('; '.join(describe_cell(results.eval, tool, cell)))}</li>"
            for tool, cell in sorted(results.cells.items())
        )
        sections.append(f"<h2 id='{escape(results.eval)}'>{escape(results.eval)}</h2>\n{picture}<ul>{notes}</ul>")
    parts = [
        "<!DOCTYPE html>",
        "<html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
        f"<title>AD tools</title><style>{_STYLE}</style></head><body>",
        "<h1>AD tools</h1>",
        f"<div class='scroll'><table><thead><tr><td></td>{head}</tr></thead>",
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        "<p>slow, a thousandth <span class='scale'></span> fastest, by the logarithm of the speed; grey: no usable answer; "
        f"{_NO_MODULE}: the tool lacks the eval, or was not run. Where some evaluations do not count, the cell says how many "
        "do. Point at a cell, or see the list below, for intervals.</p>",
        f"<p>{escape(FORMULA)}</p>",
        f"<p>Measured on:</p><ul>{machines}</ul>" if machines else "<p>The files do not say on what machine.</p>",
        *sections,
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _html_cell(results: EvalResults, tool: str) -> str:
    cell = _cell_of(results, tool)
    if cell is None:
        return f"<td class='none' title='{_attribute(_absence(results, tool))}'>{_NO_MODULE}</td>"
    background, text = cell_color(cell)
    note = _attribute("\n".join(describe_cell(results.eval, tool, cell)))
    first, *rest = (escape(line) for line in _cell_lines(cell))
    small = f"<small>{rest[0]}</small>" if rest else ""
    return f"<td tabindex='0' style='background:{background};color:{text}' title='{note}'>{first}{small}</td>"


def _attribute(text: str) -> str:
    return escape(text, {"'": "&#39;", '"': "&quot;"})
