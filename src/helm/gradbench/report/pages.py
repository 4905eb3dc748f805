"""Writes a report as files: a self-contained page, a picture of the table, Markdown, and a picture for each eval."""

from __future__ import annotations

import colorsys
import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from helm.common.files import write_text_atomically
from helm.gradbench.report.curves import PICTURE_STYLE, draw_curves
from helm.gradbench.report.measurements import ToolRun, read_runs
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
from helm.gradbench.report.tables import Table, cell_table, growth_table, lead, median_table

_NO_MODULE, _NOT_RUN = "–", "not run"
_PALEST = 1e-3
"""Cells of this speed and below are white."""


def write_report(folders: Sequence[Path], output: Path) -> list[Path]:
    """Compare everything in ``folders`` and write the report below ``output``.

    Returns: the files: ``index.html``, ``overview.svg``, ``overview.md`` and ``curves/EVAL.svg``.
    Raises: HelmError when a folder holds no runs or one that cannot be read.
    """
    return write_report_of([run for folder in folders for run in read_runs(folder)], output)


def write_report_of(runs: Sequence[ToolRun], output: Path) -> list[Path]:
    """Write the same report of runs that were read already."""
    overview = make_overview(runs)
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


def _cell_of(results: EvalResults, tool: str) -> Cell | None:
    cell = results.cells.get(tool)
    return None if cell is None or cell.is_undefined else cell


def _absence(results: EvalResults, tool: str) -> str:
    return f"{tool} lacks {results.eval}." if tool in results.cells else f"{tool} was not run on {results.eval}."


_HUE, _SATURATION = 222, 0.7
_LIGHTEST, _DARKEST = 0.97, 0.35


def cell_color(cell: Cell) -> tuple[str, str]:
    """Return background and text colour: from white, at a thousandth of the fastest, to blue, by the logarithm of speed."""
    if not cell.num_counted:
        return "#e0e0e0", "#333333"
    share = 1 - min(1.0, math.log(max(cell.speed, _PALEST)) / math.log(_PALEST))
    lightness = _LIGHTEST - (_LIGHTEST - _DARKEST) * share
    background = colorsys.hls_to_rgb(_HUE / 360, lightness, _SATURATION)
    return _hex(background), "#ffffff" if _contrast(background, 1.0) > _contrast(background, 0.0) else "#000000"


def _hex(color: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in color)


def _contrast(color: tuple[float, float, float], other_luminance: float) -> float:
    """Return the contrast ratio of WCAG 2, between 1 and 21."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    low, high = sorted((luminance, other_luminance))
    return (high + 0.05) / (low + 0.05)


def _cell_lines(results: EvalResults, tool: str) -> list[str]:
    """Return what a cell shows: its speed, and below it the time, or how much is missing."""
    cell = _cell_of(results, tool)
    if cell is None:
        return [_NO_MODULE if tool in results.cells else _NOT_RUN]
    if not cell.num_counted:
        return ["0%", max(cell.problems, key=lambda item: item[1])[0] if cell.problems else "nothing"]
    if cell.num_counted < cell.num_asked:
        return [format_speed(cell), f"{cell.num_counted} of {cell.num_asked}"]
    return [format_speed(cell), format_seconds(cell.total_s)]


_LEGEND = (
    f"Colour goes by the logarithm of the speed. Grey: no usable answer; {_NO_MODULE}: the tool lacks the eval. Where some "
    "evaluations do not count, the cell says how many do."
)


def _machine_lines(overview: Overview) -> list[str]:
    if not overview.machines:
        return ["The files do not say on what machine."]
    warning = "" if overview.is_one_machine else " Not all on the same: their times do not compare."
    return [f"Measured on:{warning}", *overview.machines]


# --- SVG -----------------------------------------------------------------------------------------------------------

_CELL_WIDTH, _CELL_HEIGHT, _LABELS, _TOP, _SCALE_WIDTH, _LEAST_WIDTH = 92, 44, 90, 130, 180, 560


def draw_overview(overview: Overview) -> str:
    """Draw the table: evals down, tools across, notes as tooltips, and an explanation of the numbers below it."""
    width = max(_LABELS + _CELL_WIDTH * len(overview.tools) + 60, _LEAST_WIDTH)
    bottom = _TOP + _CELL_HEIGHT * len(overview.evals) + 10
    notes = [line for text in (_LEGEND, FORMULA, overview.judges) for line in textwrap.wrap(text, int(width / 6.1))]
    height = bottom + 40 + 16 * len(notes)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-label="Speed of AD tools by eval" font-family="sans-serif" font-size="13">',
        f"<desc>{escape(_described(overview))}</desc>",
        f"<style>{PICTURE_STYLE}</style>",
        f'<rect width="{width}" height="{height}" class="ad-paper"/>',
        '<text x="12" y="26" font-size="18" font-weight="bold" class="ad-ink">AD tools: speed beside the fastest</text>',
    ]
    for j, tool in enumerate(overview.tools):
        place = f"translate({_LABELS + _CELL_WIDTH * j + _CELL_WIDTH // 2} {_TOP - 8}) rotate(-35)"
        shown = tool if len(tool) <= 16 else tool[:15] + "…"
        parts.append(f'<text transform="{place}" font-weight="bold" class="ad-ink">{escape(shown)}</text>')
    for i, results in enumerate(overview.evals):
        y = _TOP + _CELL_HEIGHT * i
        parts.append(
            f'<text x="{_LABELS - 8}" y="{y + 26}" text-anchor="end" font-weight="bold" class="ad-ink">'
            f"{escape(results.eval)}</text>"
        )
        for j, tool in enumerate(overview.tools):
            parts.append(_draw_cell(results, tool, _LABELS + _CELL_WIDTH * j, y))
    parts += _draw_scale(bottom)
    parts += [
        f'<text x="12" y="{bottom + 42 + 16 * i}" font-size="11" class="ad-soft">{escape(line)}</text>'
        for i, line in enumerate(notes)
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _described(overview: Overview) -> str:
    """Describe the table in words."""
    rows = (
        f"{results.eval}: " + "; ".join(f"{t} {', '.join(_cell_lines(results, t))}" for t in overview.tools)
        for results in overview.evals
    )
    return ". ".join(rows) + "."


def _draw_scale(y: int) -> list[str]:
    stops = "".join(
        f'<stop offset="{i / 8}" stop-color="{_hex(colorsys.hls_to_rgb(_HUE / 360, lightness, _SATURATION))}"/>'
        for i in range(9)
        for lightness in [_LIGHTEST - (_LIGHTEST - _DARKEST) * i / 8]
    )
    right = _LABELS + _SCALE_WIDTH
    return [
        f'<linearGradient id="ad-scale">{stops}</linearGradient>',
        f'<rect x="{_LABELS}" y="{y + 4}" width="{_SCALE_WIDTH}" height="12" fill="url(#ad-scale)" stroke="#999"/>',
        f'<text x="{_LABELS - 6}" y="{y + 14}" text-anchor="end" font-size="11" class="ad-soft">0.1% or less</text>',
        f'<text x="{right + 6}" y="{y + 14}" font-size="11" class="ad-soft">100%, the fastest on every workload</text>',
    ]


def _draw_cell(results: EvalResults, tool: str, x: int, y: int) -> str:
    cell = _cell_of(results, tool)
    lines = _cell_lines(results, tool)
    note = "\n".join(describe_cell(results.eval, tool, cell)) if cell is not None else _absence(results, tool)
    middle = x + _CELL_WIDTH // 2
    shape, ink = "", 'class="ad-soft"'
    if cell is not None:
        background, text = cell_color(cell)
        ink = f'fill="{text}"'
        shape = f'<rect x="{x + 2}" y="{y + 2}" width="{_CELL_WIDTH - 4}" height="{_CELL_HEIGHT - 4}" rx="4"'
        shape += f' fill="{background}" stroke="#cccccc"/>'
    first = f'<text x="{middle}" y="{y + (20 if len(lines) > 1 else 26)}" text-anchor="middle" {ink}>'
    words = f"{first}{escape(lines[0])}</text>"
    if len(lines) > 1:
        words += f'<text x="{middle}" y="{y + 36}" text-anchor="middle" font-size="11" {ink}>{escape(lines[1])}</text>'
    return f"<g><title>{escape(note)}</title>{shape}{words}</g>"


# --- Markdown ------------------------------------------------------------------------------------------------------


def write_markdown(overview: Overview) -> str:
    """Return the table, its meaning, and below it what each cell is made of."""
    shown = [
        (results.eval, *(", ".join(_cell_lines(results, tool)) for tool in overview.tools))
        for results in overview.evals
    ]
    lines = ["# AD tools", "", lead(overview), "", *_markdown(Table(("eval", *overview.tools), tuple(shown)))]
    lines += ["", FORMULA, "", overview.judges, "", f"{_NO_MODULE}: the tool lacks the eval.", ""]
    first, *more = _machine_lines(overview)
    lines += [first, *([""] if more else []), *(f"- {line}" for line in more)]
    for results in overview.evals:
        lines += ["", f"## {results.eval}", "", *_markdown(cell_table(results))]
    lines += ["", "## Growth", "", _GROWTH, ""]
    growth = growth_table(overview)
    lines += _markdown(growth) if growth.rows else ["No eval was run with three sizes or more."]
    return "\n".join(lines) + "\n"


_GROWTH = "Exponent of the size with which the median time grows (least squares in logarithms)."


def _markdown(table: Table) -> list[str]:
    marks = ["---", *["--:"] * (len(table.head) - 1)]
    return [_markdown_row(row) for row in (table.head, marks, *table.rows)]


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# --- HTML ----------------------------------------------------------------------------------------------------------

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #222; --soft: #666; --line: #ddd; --link: #0b4fb3 }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #eee; --soft: #aaa; --line: #3a3d42; --link: #8ab4f8 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; color: var(--ink);
  background: var(--paper) }
a { color: var(--link) }
.scroll { overflow-x: auto }
table { border-collapse: separate; border-spacing: 3px }
th { font-weight: 600; padding: .2rem .5rem }
tbody th, .overview thead td { text-align: right; position: sticky; left: 0; background: var(--paper) }
.overview td { min-width: 5.2rem; text-align: center; border-radius: 4px; padding: .3rem .4rem }
td small { display: block; font-size: .8em } td.none { color: var(--soft); font-size: .85em }
td[tabindex]:focus { outline: 2px solid #d55e00 }
.notes { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
.notes th, .notes td { padding: .2rem .45rem; border-bottom: 1px solid var(--line); text-align: right }
.notes thead th { vertical-align: bottom } .notes tbody th { text-align: left; white-space: nowrap }
.notes td { white-space: nowrap }
.scale { display: inline-block; width: 12rem; max-width: 40vw; height: .8rem; border: 1px solid #999; vertical-align: middle;
  background: linear-gradient(to right, hsl(222 70% 97%), hsl(222 70% 35%)) }
section { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); gap: 1rem 2rem;
  align-items: start; border-top: 1px solid var(--line); margin-top: 2rem }
section h2 { grid-column: 1 / -1; margin-bottom: 0 } section > div { min-width: 0; overflow-x: auto }
details { margin: 1rem 0 } summary { cursor: pointer; font-weight: 600 }
svg { width: 100%; min-width: 30rem; max-width: 620px; height: auto }
"""


def draw_page(overview: Overview, curves: dict[str, str | None]) -> str:
    """Return the whole report as one HTML page without scripts or further files."""
    head = "".join(f"<th scope='col'>{escape(tool)}</th>" for tool in overview.tools)
    rows = []
    for results in overview.evals:
        name = escape(results.eval)
        cells = "".join(_html_cell(results, tool) for tool in overview.tools)
        rows.append(f"<tr><th scope='row'><a href='#{name}'>{name}</a></th>{cells}</tr>")
    first, *more = (escape(line) for line in _machine_lines(overview))
    machines = f"<p>{first}</p>" + (f"<ul>{''.join(f'<li>{line}</li>' for line in more)}</ul>" if more else "")
    growth = growth_table(overview)
    parts = [
        "<!DOCTYPE html>",
        "<html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>",
        f"<title>AD tools</title><style>{_STYLE}</style></head><body>",
        "<h1>AD tools</h1>",
        f"<p>{escape(lead(overview))}</p>",
        "<div class='scroll'><table class='overview' aria-label='Speed of AD tools by eval'>",
        f"<thead><tr><td></td>{head}</tr></thead>",
        f"<tbody>{''.join(rows)}</tbody></table></div>",
        f"<p>0.1% or less <span class='scale'></span> 100%. {escape(_LEGEND)} Intervals and more stand below, and in the "
        "note that a cell shows when you point at it.</p>",
        f"<p>{escape(FORMULA)} {escape(overview.judges)}</p>",
        machines,
        *(_html_section(results, overview.tools, curves.get(results.eval)) for results in overview.evals),
    ]
    if growth.rows:
        parts.append(f"<h2>Growth</h2><p>{_GROWTH}</p><div class='scroll'>{_html_table(growth)}</div>")
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _html_section(results: EvalResults, tools: Sequence[str], picture: str | None) -> str:
    """Return the part about an eval: its curves, what its cells are made of, and all its medians."""
    name = escape(results.eval)
    notes = f"<div class='scroll'>{_html_table(cell_table(results))}</div>"
    medians = ""
    if picture is not None:
        table = _html_table(median_table(results, tools))
        medians = (
            f"<details><summary>All medians, with 95% intervals</summary><div class='scroll'>{table}</div></details>"
        )
    return f"<section id='{name}'><h2>{name}</h2>\n<div>{picture or ''}</div><div>{notes}{medians}</div></section>"


def _html_table(table: Table) -> str:
    head = "".join(f"<th scope='col'>{escape(word)}</th>" for word in table.head)
    rows = "".join(
        f"<tr><th scope='row'>{escape(first)}</th>{''.join(f'<td>{escape(word)}</td>' for word in rest)}</tr>"
        for first, *rest in table.rows
    )
    return f"<table class='notes'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _html_cell(results: EvalResults, tool: str) -> str:
    cell = _cell_of(results, tool)
    first, *rest = (escape(line) for line in _cell_lines(results, tool))
    if cell is None:
        return f"<td class='none' title='{_attribute(_absence(results, tool))}'>{first}</td>"
    background, text = cell_color(cell)
    note = _attribute("\n".join(describe_cell(results.eval, tool, cell)))
    small = f"<small>{rest[0]}</small>" if rest else ""
    return f"<td tabindex='0' style='background:{background};color:{text}' title='{note}'>{first}{small}</td>"


def _attribute(text: str) -> str:
    return escape(text, {"'": "&#39;", '"': "&quot;"})
