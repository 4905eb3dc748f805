"""The page of AD tools: evaluation times by input size, and ratios to the fastest tool."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.server.charts import Chart, log_log_chart
from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.benchmark.subjects import AD_TOOL
from helm.results.index.index_folder import RunEntry
from helm.results.statistics.intervals import Estimate, estimate_geometric_mean

_NOT_OK = ("undefined", "failure", "timeout", "error")


@dataclass
class TimedCell:
    """A tool on a workload."""

    median: float | None = None
    low: float | None = None
    high: float | None = None
    runs: int = 0
    status: str = ""
    ratio: float | None = None
    """Ratio to the fastest tool on this workload."""

    path: str = ""
    id: str = ""


@dataclass
class Timed:
    """A function of an eval: workloads by tools."""

    eval: str
    part: str
    tools: list[str] = field(default_factory=list)
    workloads: list[tuple[str, float | None]] = field(default_factory=list)
    """Description and size."""

    cells: dict[tuple[str, str], TimedCell] = field(default_factory=dict)
    """Cells by description and tool."""

    chart: Chart | None = None
    ratio_chart: Chart | None = None
    means: dict[str, Estimate | None] = field(default_factory=dict)
    """Geometric mean of each tool's ratios over the workloads that all tools did; the interval is over other workloads.
    """

    num_common: int = 0


def tools(viewer: Viewer, query: Query, path: str) -> Page:
    """Show all evals of a suite, or one of them."""
    _, entries = viewer.suite_entries(query, AD_TOOL)
    names = sorted({entry.subject for entry in entries})
    evals = sorted({str(item["module"]) for entry in entries for item in (entry.facts or {}).get("workloads") or ()})
    wanted = query.get("eval")
    groups = make_groups([entry for entry in entries], names, wanted if wanted in evals else "")
    ready = sum(entry.facts is not None for entry in entries)
    values = {
        "groups": groups, "tools": names, "evals": evals, "eval": wanted, "num_runs": len(entries), "num_ready": ready,
        "colours": {name: i % 8 for i, name in enumerate(names)}, "not_ok": _NOT_OK,
    }  # fmt: skip
    return Page("tools.html", values, viewer.refresh_while_busy() if ready < len(entries) else None)


def make_groups(entries: Sequence[RunEntry], tools: Sequence[str], wanted: str = "") -> list[Timed]:
    """Return the times of all tools for each eval and part (primal, derivative)."""
    groups: dict[tuple[str, str, str], Timed] = {}
    for entry in entries:
        for item in (entry.facts or {}).get("workloads") or ():
            module = str(item["module"])
            if wanted and module != wanted:
                continue
            key = (module, entry.task, str(item["part"]))
            title = module if entry.task.count(":") == 0 else f"{module} ({entry.task.partition(':')[2]})"
            group = groups.setdefault(key, Timed(title, str(item["part"])))
            if entry.subject not in group.tools:
                group.tools.append(entry.subject)
            description = str(item["description"] or item["id"])
            if description not in (name for name, _ in group.workloads):
                group.workloads.append((description, item["size"]))
            group.cells[description, entry.subject] = TimedCell(
                item["median"],
                item["low"],
                item["high"],
                item["runs"],
                str(item["status"]),
                None,
                entry.path,
                item["id"],
            )
    for group in groups.values():
        _finish(group, tools)
    return sorted(groups.values(), key=lambda group: (group.eval, group.part != "primal", group.part))


def _finish(group: Timed, tools: Sequence[str]) -> None:
    group.tools = [name for name in tools if name in group.tools]
    group.workloads.sort(key=lambda item: (item[1] is None, item[1] or 0.0))
    ratios: dict[str, list[float]] = {name: [] for name in group.tools}
    for description, _ in group.workloads:
        cells = {name: group.cells.get((description, name)) for name in group.tools}
        times = {name: cell.median for name, cell in cells.items() if cell is not None and cell.median}
        if not times:
            continue
        best = min(times.values())
        for name, time in times.items():
            cell = cells[name]
            assert cell is not None
            cell.ratio = time / best
        if len(times) == len(group.tools):
            group.num_common += 1
            for name, time in times.items():
                ratios[name].append(time / best)
    group.means = {name: estimate_geometric_mean(values) for name, values in ratios.items()}
    colours = {name: number for number, name in enumerate(tools)}
    group.chart = log_log_chart(
        _points(group, lambda cell: (cell.median, cell.low, cell.high)), "size of the input", "median time", colours
    )
    if len(group.tools) > 1:
        points = _points(group, lambda cell: (cell.ratio, None, None))
        group.ratio_chart = log_log_chart(points, "size of the input", "times the fastest", colours, y_is_time=False)


def _points(group: Timed, read: Any) -> dict[str, list[tuple[float, float, float | None, float | None]]]:
    found: dict[str, list[tuple[float, float, float | None, float | None]]] = {}
    for name in group.tools:
        for description, size in group.workloads:
            cell = group.cells.get((description, name))
            if cell is None or not size:
                continue
            value, low, high = read(cell)
            if value:
                found.setdefault(name, []).append((size, value, low, high))
    return found
