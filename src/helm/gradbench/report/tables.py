"""The tables of a report in addition to the overview: what each cell is made of, all medians, and how times grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from helm.gradbench.report.curves import make_panels, scaling_exponent, workload_sizes
from helm.gradbench.report.measurements import Measurement
from helm.gradbench.report.overview import (
    Cell,
    EvalResults,
    Overview,
    describe_problems,
    format_ratio,
    format_seconds,
    format_speed,
)

NOTHING = "–"


@dataclass(frozen=True)
class Table:
    """Words in rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def lead(overview: Overview) -> str:
    """Return what a reader needs to know before the overview."""
    tools, evals = len(overview.tools), len(overview.evals)
    return (
        f"{tools} {'tool' if tools == 1 else 'tools'} on {evals} {'eval' if evals == 1 else 'evals'}. Each cell shows how "
        "fast a tool is beside the fastest (100%), and the time of one run of everything. What is wrong or missing counts 0."
    )


def cell_table(results: EvalResults) -> Table:
    """List each tool that has the eval, fastest first: speed, time with its interval, and what does not count."""
    cells = [(tool, cell) for tool, cell in results.cells.items() if not cell.is_undefined]
    cells.sort(key=lambda item: (-item[1].speed, item[0]))
    head = ("tool", "speed", "time", "95% interval", "widest", "derivative / primal", "counted")
    return Table(head, tuple(_cell_row(tool, cell) for tool, cell in cells))


def _cell_row(tool: str, cell: Cell) -> tuple[str, ...]:
    counted = f"{cell.num_counted} of {cell.num_asked}"
    if cell.problems:
        counted += f" ({describe_problems(cell)})"
    if not cell.is_judged:
        counted += ", not all judged"
    return (
        tool,
        format_speed(cell),
        format_seconds(cell.total_s) if cell.num_counted else NOTHING,
        NOTHING if cell.interval_s is None else " to ".join(format_seconds(end) for end in cell.interval_s),
        NOTHING if cell.spread is None else f"±{cell.spread:.1%}" if cell.spread < 0.0995 else f"±{cell.spread:.0%}",
        NOTHING if cell.ratio is None else format_ratio(cell.ratio),
        counted,
    )


def median_table(results: EvalResults, tools: Sequence[str]) -> Table:
    """List the median of each function and workload by each tool, with its interval, or what went wrong."""
    shown = [tool for tool in tools if results.tools.get(tool)]
    rows = [
        (f"{function}, {workload}", *(_median(results.tools[tool].get((function, workload))) for tool in shown))
        for function, workload in results.keys
    ]
    return Table(("function and workload", *shown), tuple(rows))


def _median(measurement: Measurement | None) -> str:
    if measurement is None:
        return NOTHING
    if not measurement.counts:
        return "invalid" if measurement.valid is False else measurement.status if not measurement.times_s else NOTHING
    text = format_seconds(measurement.median_s)
    if measurement.interval_s is None:
        return text
    return f"{text} ({' to '.join(format_seconds(end) for end in measurement.interval_s)})"


def growth_table(overview: Overview) -> Table:
    """For each function whose workloads differ in one number, show how each tool's time grows with it."""
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
                row.append(NOTHING if slope is None else f"{slope:.2f}")
            if any(cell != NOTHING for cell in row[1:]):
                rows.append(tuple(row))
    return Table(("function", *overview.tools), tuple(rows))
