"""Curves of time against workload as SVG: one panel each for the derivative, its ratio to the function, and the function."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from helm.gradbench.report.measurements import Measurement
from helm.gradbench.report.overview import EvalResults, format_ratio, format_seconds, parts_of

# Colour-blind safe (Okabe and Ito), also distinguished by marks.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#444444")
_ON_DARK = {0: "#8a94ff", 6: "#b08fd0", 7: "#c8c8c8"}  # those that are too dark there
_DASHES = ("", "6 3", "2 2", "8 3 2 3")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 620, 300, 70, 20, 34, 64
PICTURE_STYLE = (
    ".ad-paper{fill:#fff}.ad-ink{fill:#222}.ad-soft{fill:#444}.ad-grid{stroke:#ddd}.ad-axis{stroke:#888}"
    + "".join(f".ad-c{i}{{color:{color}}}" for i, color in enumerate(COLORS))
    + "@media (prefers-color-scheme:dark){.ad-paper{fill:#16181b}.ad-ink{fill:#eee}.ad-soft{fill:#bbb}"
    ".ad-grid{stroke:#3a3d42}" + "".join(f".ad-c{i}{{color:{color}}}" for i, color in _ON_DARK.items()) + "}"
)
"""Colours of pictures, on light and on dark paper."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Point:
    """One workload of one tool: a value with the ends of its interval, if there is one."""

    place: int
    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Panel:
    """One diagram."""

    title: str
    is_time: bool
    lines: dict[str, list[Point]]


def workload_sizes(workloads: Sequence[str]) -> list[float] | None:
    """Return the one number in which the names of workloads differ; None if they differ otherwise or are fewer than two."""
    if any(name.startswith("#") for name in workloads):  # places of workloads without a name, no sizes
        return None
    if len(workloads) < 2 or len({_NUMBER.sub("#", name) for name in workloads}) != 1:
        return None
    rows = [[float(number) for number in _NUMBER.findall(name)] for name in workloads]
    varying = [i for i, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
    if len(varying) != 1:
        return None
    sizes = [row[varying[0]] for row in rows]
    return sizes if min(sizes) > 0 and len(set(sizes)) == len(sizes) else None


def size_pattern(workloads: Sequence[str]) -> str:
    """Return what the sizes describe: the workloads' names with ``…`` for the number that differs, as in ``n=…,m=128``."""
    columns = list(zip(*(_NUMBER.findall(name) for name in workloads), strict=True))
    shown = iter("…" if len(set(column)) > 1 else column[0] for column in columns)
    return _NUMBER.sub(lambda match: next(shown), workloads[0])


def scaling_exponent(sizes: Sequence[float], values: Sequence[float]) -> float | None:
    """Return the least-squares slope of log time over log size; None for fewer than three points."""
    pairs = [(math.log(s), math.log(v)) for s, v in zip(sizes, values, strict=True) if s > 0 and v > 0]
    if len(pairs) < 3:
        return None
    mean_x, mean_y = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in pairs)
    return sum((x - mean_x) * (y - mean_y) for x, y in pairs) / spread if spread else None


def make_panels(results: EvalResults) -> tuple[list[str], list[Panel]]:
    """Return the workloads along the axis, and the panels that have anything to show.

    If an eval has several functions of equal standing and a single workload, the functions are along the axis.
    """
    primal, derivative = parts_of(results.eval)
    workloads = list(dict.fromkeys(workload for _, workload in results.keys))
    functions = list(dict.fromkeys(function for function, _ in results.keys))
    panels: list[Panel] = []
    if primal is None and len(functions) > 1 and len(workloads) == 1:
        return functions, [panel for panel in [_panel_of_functions(results, functions, workloads[0])] if panel.lines]
    ordered = [derivative, primal] if primal is not None and derivative is not None else functions
    for function in [name for name in ordered if name in functions]:
        lines = {}
        for tool, found in results.tools.items():
            points = [
                Point(i, m.median_s, m.interval_s)
                for i, workload in enumerate(workloads)
                if (m := found.get((str(function), workload))) is not None and m.counts and m.median_s > 0
            ]
            if points:
                lines[tool] = points
        panels.append(Panel(f"{results.eval}::{function}, median time", True, lines))
    if primal in functions and derivative in functions:
        lines = {tool: _ratios(found, workloads, primal, derivative) for tool, found in results.tools.items()}
        lines = {tool: points for tool, points in lines.items() if points}
        panels.insert(1, Panel(f"{results.eval}: {derivative} / {primal}", False, lines))
    return workloads, [panel for panel in panels if panel.lines]


def _panel_of_functions(results: EvalResults, functions: Sequence[str], workload: str) -> Panel:
    """Return panels with functions along the axis, for an eval with a single workload."""
    lines = {}
    for tool, found in results.tools.items():
        points = [
            Point(i, m.median_s, m.interval_s)
            for i, function in enumerate(functions)
            if (m := found.get((function, workload))) is not None and m.counts and m.median_s > 0
        ]
        if points:
            lines[tool] = points
    return Panel(f"{results.eval}, median time", True, lines)


def _ratios(
    found: dict[tuple[str, str], Measurement],
    workloads: Sequence[str],
    primal: str | None,
    derivative: str | None,
) -> list[Point]:
    points = []
    for i, workload in enumerate(workloads):
        above, below = found.get((str(derivative), workload)), found.get((str(primal), workload))
        if (
            above is not None
            and below is not None
            and above.counts
            and below.counts
            and above.median_s
            and below.median_s
        ):
            points.append(Point(i, above.median_s / below.median_s))
    return points


def draw_curves(results: EvalResults, tools: Sequence[str]) -> str | None:
    """Draw all panels of an eval below each other; None if nothing was timed.

    Args:
        tools: all tools of the report; their positions determine the colours, which are the same for every eval.
    """
    workloads, panels = make_panels(results)
    if not panels or not workloads:
        return None
    sizes = workload_sizes(workloads)
    shown = [tool for tool in tools if any(tool in panel.lines for panel in panels)]
    legend_height = 20 * ((len(shown) + 3) // 4) + 10
    height = _HEIGHT * len(panels) + legend_height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" aria-label="{_attribute(results.eval)}: time against workload" font-family="sans-serif" font-size="12">',
        f"<desc>{escape(describe_panels(workloads, panels))}</desc>",
        f"<style>{PICTURE_STYLE}</style>",
        f'<rect width="{_WIDTH}" height="{height}" class="ad-paper"/>',
    ]
    for i, tool in enumerate(shown):
        x, y = _LEFT + i % 4 * 138, 16 + i // 4 * 20
        parts.append(f'<path d="M{x} {y - 4}h24" {_stroke(tool, tools)}/>{_mark(x + 12, y - 4, tool, tools)}')
        parts.append(f'<text x="{x + 30}" y="{y}" class="ad-ink">{escape(_short(tool, 15))}</text>')
    for i, panel in enumerate(panels):
        parts.append(f'<g transform="translate(0 {legend_height + i * _HEIGHT})">')
        parts += _draw_panel(panel, workloads, sizes, tools)
        parts.append("</g>")
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def describe_panels(workloads: Sequence[str], panels: Sequence[Panel]) -> str:
    """Describe the curves in words, for readers who cannot see them."""
    sentences = []
    for panel in panels:
        lines = []
        for tool, points in panel.lines.items():
            values = (format_seconds(p.value) if panel.is_time else format_ratio(p.value) for p in points)
            lines.append(
                f"{tool}: " + ", ".join(f"{workloads[p.place]} {v}" for p, v in zip(points, values, strict=True))
            )
        sentences.append(f"{panel.title}. " + "; ".join(lines) + ".")
    return " ".join(sentences)


def _draw_panel(
    panel: Panel, workloads: Sequence[str], sizes: Sequence[float] | None, tools: Sequence[str]
) -> list[str]:
    points = [point for line in panel.lines.values() for point in line]
    values = [value for point in points for value in (point.value, *(point.interval or ())) if value > 0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT

    def x(place: int) -> float:
        if sizes is None:
            return _LEFT + (right - _LEFT) * (place + 0.5) / len(workloads)
        first, last = math.log(min(sizes)), math.log(max(sizes))
        return _LEFT + 14 + (right - _LEFT - 28) * (math.log(sizes[place]) - first) / (last - first)

    def y(value: float) -> float:
        return bottom - (bottom - _TOP) * (math.log10(value) - low) / (high - low)

    parts = [f'<text x="{_LEFT}" y="{_TOP - 12}" font-weight="bold" class="ad-ink">{escape(panel.title)}</text>']
    step = max(1, math.ceil((high - low) / 6))
    for power in range(low, high + 1, step):
        label = format_seconds(10.0**power) if panel.is_time else f"{10.0**power:g}"
        parts.append(f'<path d="M{_LEFT} {y(10.0**power):.1f}H{right}" class="ad-grid"/>')
        parts.append(
            f'<text x="{_LEFT - 8}" y="{y(10.0**power) + 4:.1f}" text-anchor="end" class="ad-soft">{label}</text>'
        )
    is_level = sizes is not None or (len(workloads) <= 10 and max(len(name) for name in workloads) <= 6)
    spacing = max(1, math.ceil(len(workloads) / 14))
    for i in range(0, len(workloads), spacing):
        place = f"{x(i):.1f} {bottom + 16}"
        label = _short_number(sizes[i]) if sizes is not None else escape(_short(workloads[i], 14))
        turned, anchor = ("", "middle") if is_level else (" rotate(-35)", "end")
        parts.append(f'<path d="M{x(i):.1f} {bottom}v4" class="ad-axis"/>')
        parts.append(
            f'<text transform="translate({place}){turned}" text-anchor="{anchor}" font-size="10" class="ad-soft">'
            f"{label}</text>"
        )
    if sizes is not None:
        middle = (_LEFT + right) / 2
        words = escape(size_pattern(workloads))
        parts.append(f'<text x="{middle:g}" y="{bottom + 36}" text-anchor="middle" class="ad-soft">{words}</text>')
    parts.append(f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" class="ad-axis"/>')
    for tool, line in panel.lines.items():
        path = "L".join(f"{x(point.place):.1f} {y(point.value):.1f}" for point in line)
        parts.append(f'<path d="M{path}" fill="none" {_stroke(tool, tools)}/>')
        slope = None
        if sizes is not None and panel.is_time:
            slope = scaling_exponent([sizes[point.place] for point in line], [point.value for point in line])
        for point in line:
            parts += _draw_point(panel, point, tool, tools, workloads[point.place], slope, (x, y))
    return parts


def _draw_point(
    panel: Panel, point: Point, tool: str, tools: Sequence[str], workload: str, slope: float | None, axes: tuple
) -> list[str]:
    x, y = axes[0](point.place), axes[1]
    note = f"{tool}, {workload}: "
    note += format_seconds(point.value) if panel.is_time else format_ratio(point.value)
    parts = []
    if point.interval is not None and point.interval[0] > 0:
        low, high = point.interval
        note += f" (95%: {format_seconds(low)} to {format_seconds(high)})"
        ends = f"M{x:.1f} {y(low):.1f}V{y(high):.1f}M{x - 3:.1f} {y(low):.1f}h6M{x - 3:.1f} {y(high):.1f}h6"
        parts.append(f'<path d="{ends}" {_color(tool, tools)} stroke="currentColor" fill="none"/>')
    if slope is not None:
        note += f"; time grows as size^{slope:.2f}"
    parts.append(_mark(x, y(point.value), tool, tools, note))
    return parts


def _color(tool: str, tools: Sequence[str]) -> str:
    return f'class="ad-c{list(tools).index(tool) % len(COLORS)}"'


def _stroke(tool: str, tools: Sequence[str]) -> str:
    dash = _DASHES[list(tools).index(tool) // len(COLORS) % len(_DASHES)]
    return f'{_color(tool, tools)} stroke="currentColor" stroke-width="1.5"' + (
        f' stroke-dasharray="{dash}"' if dash else ""
    )


def _mark(x: float, y: float, tool: str, tools: Sequence[str], note: str = "") -> str:
    """Draw a mark whose shape also identifies the tool."""
    shapes = (
        "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
        "M-3.5 -3.5h7v7h-7z",
        "M0 -4.5l4.5 8h-9z",
        "M0 -5l5 5l-5 5l-5 -5z",
    )
    shape = shapes[list(tools).index(tool) % len(shapes)]
    title = f"<title>{escape(note)}</title>" if note else ""
    return f'<path transform="translate({x:.1f} {y:.1f})" d="{shape}" {_color(tool, tools)} fill="currentColor">{title}</path>'


def _short_number(size: float) -> str:
    return f"{size:.0f}" if size == int(size) and size < 1e6 else f"{size:g}"


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})
