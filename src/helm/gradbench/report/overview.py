"""Tools against evals: one value for each pair that a missing workload can never improve."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from helm.common.evaluate_request import STATUS_OK, STATUS_UNDEFINED
from helm.common.formats.number_text import format_duration as format_seconds
from helm.gradbench.evals.registry import eval_names, find_eval_class
from helm.gradbench.report.measurements import Measurement, ToolRun

Key = tuple[str, str]
"""A function and a workload."""

FORMULA = (
    "Speed is the mean over workloads of (shortest time of any tool / this tool's time). The time of a workload is the "
    "median of its function plus the median of its derivative; functions without such a pair are workloads by "
    "themselves. A workload that a tool lacks, fails or gets wrong counts 0, so leaving work out never helps. 100% is a "
    "tool that is the fastest everywhere. With the speed stands the sum of all medians; its interval is the sum of the "
    "ends of their 95% intervals (order statistics, at least 6 runs)."
)
"""Explains the numbers of the overview."""


@dataclass(frozen=True)
class Cell:
    """One tool on one eval."""

    speed: float
    """Between 0 and 1; 1 for a tool that is the fastest everywhere."""

    num_counted: int
    """Functions and workloads with a time and no wrong output."""

    num_asked: int
    """Functions and workloads that any tool was asked for."""

    total_s: float
    """Sum of the median times of those that count, in seconds; 0.0 if there are none."""

    interval_s: tuple[float, float] | None
    """Sums of the ends of the medians' intervals; None when any has too few runs."""

    ratio: float | None
    """Geometric mean of derivative over primal time; None for an eval without such a pair."""

    spread: float | None
    """Largest half width of an interval, as a share of its median; None when no median has an interval."""

    problems: tuple[tuple[str, int], ...]
    """Why evaluations do not count, each reason with a number: ``invalid``, ``failure``, ``timeout``, ``missing``, ..."""

    is_undefined: bool
    """The tool lacks the eval's module."""

    is_judged: bool
    """Whether every output that counts was judged."""


@dataclass(frozen=True)
class EvalResults:
    """All tools on one eval."""

    eval: str
    keys: tuple[Key, ...]
    """Functions and workloads in the order of the eval."""

    tools: dict[str, dict[Key, Measurement]]
    cells: dict[str, Cell]


@dataclass(frozen=True)
class Overview:
    """Everything a report shows."""

    evals: tuple[EvalResults, ...]
    tools: tuple[str, ...]
    """All tools, sorted."""

    machines: tuple[str, ...]
    """Where the timings come from, in lines: what all tools have in common, then what differs; empty if nothing is recorded."""

    is_one_machine: bool
    """Whether processor, cores, governor and threads were the same throughout, as far as tools say."""

    judges: str
    """How outputs were judged."""


def describe_judges(runs: Sequence[ToolRun]) -> str:
    """How outputs were judged, in a sentence or two."""
    texts = {
        True: "strictly, by the largest number expected",
        False: "as GradBench does, by an absolute tolerance where numbers are below 1, so that zeros may pass for small ones",
    }
    if len({run.is_strict for run in runs}) <= 1:
        return f"Outputs were judged {texts[bool(runs) and runs[0].is_strict]}."
    for name_of in (lambda run: run.eval, lambda run: run.tool):  # whichever tells the two kinds apart
        names = {key: sorted({name_of(run) for run in runs if run.is_strict == key}) for key in (True, False)}
        if set(names[True]).isdisjoint(names[False]):
            return " ".join(f"Outputs of {', '.join(names[key])} were judged {texts[key]}." for key in names)
    return f"Some outputs were judged {texts[True]}; the others {texts[False]}."


def make_overview(runs: Sequence[ToolRun]) -> Overview:
    """Compare runs. There is at most one for each eval and tool."""
    by_eval: dict[str, list[ToolRun]] = defaultdict(list)
    for run in runs:
        by_eval[run.eval].append(run)
    order = {name: i for i, name in enumerate(eval_names())}
    names = sorted(by_eval, key=lambda name: (order.get(name, len(order)), name))
    return Overview(
        evals=tuple(_compare(name, by_eval[name]) for name in names),
        tools=tuple(sorted({run.tool for run in runs})),
        machines=tuple(_describe_machines(runs)),
        is_one_machine=all(
            len({value for run in runs for facts in run.machines for name, value in facts if name == decisive}) <= 1
            for decisive in _DECISIVE
        ),
        judges=describe_judges(runs),
    )


_DECISIVE = ("cpu", "cores", "governor", "threads")
"""Return facts that timings depend on; versions of tools may differ."""


def _describe_machines(runs: Sequence[ToolRun]) -> list[str]:
    machines = [facts for run in runs for facts in run.machines]
    if not machines:
        return []
    shared = set.intersection(*(set(facts) for facts in machines))
    lines = [", ".join(f"{name} {value}" for name, value in machines[0] if (name, value) in shared)]
    tools: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for facts in run.machines:
            tools[", ".join(f"{name} {value}" for name, value in facts if (name, value) not in shared)].add(run.tool)
    lines += sorted(f"{', '.join(sorted(names))}: {text}" for text, names in tools.items() if text)
    return [line for line in lines if line]


def parts_of(eval_name: str) -> tuple[str | None, str | None]:
    """Return the function of an eval and its derivative; None for both if there is no such pair."""
    eval_class = find_eval_class(eval_name)
    if eval_class is None:
        return None, None
    return eval_class.primal, eval_class.derivative


def _compare(name: str, runs: Sequence[ToolRun]) -> EvalResults:
    tools = {run.tool: _by_key(run.measurements) for run in runs}
    keys = tuple(dict.fromkeys(key for found in tools.values() for key in found))
    workloads = _workloads(name, keys)
    shortest = [_shortest(workload, tools.values()) for workload in workloads]
    cells = {}
    for run in runs:
        times = [_time_s(workload, tools[run.tool]) for workload in workloads]
        shares = [_share(best, own) for best, own in zip(shortest, times, strict=True)]
        cells[run.tool] = _cell(name, run, tools[run.tool], keys, sum(shares) / len(shares) if shares else 0.0)
    return EvalResults(name, keys, tools, cells)


def _workloads(name: str, keys: Sequence[Key]) -> list[list[Key]]:
    """Return what is compared as a unit: the function and the derivative of each workload, or each function by itself."""
    primal, derivative = parts_of(name)
    if primal is None or derivative is None:
        return [[key] for key in keys]
    groups: dict[str, list[Key]] = {}
    for key in keys:
        groups.setdefault(key[1], []).append(key)
    return list(groups.values())


def _time_s(workload: Sequence[Key], found: dict[Key, Measurement]) -> float | None:
    """Return the seconds of a whole workload; None unless all of it counts."""
    if not all(key in found and found[key].counts for key in workload):
        return None
    return sum(found[key].median_s for key in workload)


def _shortest(workload: Sequence[Key], tools: Iterable[dict[Key, Measurement]]) -> float | None:
    times = [_time_s(workload, found) for found in tools]
    return min((time for time in times if time is not None), default=None)


def _share(shortest: float | None, own: float | None) -> float:
    if own is None or shortest is None:
        return 0.0
    return shortest / own if own else 1.0


def _by_key(measurements: Sequence[Measurement]) -> dict[Key, Measurement]:
    """Group by function and workload; runs of the same one are combined, and a wrong or missing output stays visible."""
    found: dict[Key, Measurement] = {}
    unnamed: dict[str, int] = defaultdict(int)
    for measurement in measurements:
        workload = measurement.workload
        if workload is None:  # told apart by their place
            unnamed[measurement.function] += 1
            workload = f"#{unnamed[measurement.function]}"
        key = measurement.function, workload
        old = found.get(key)
        if old is not None:
            worse = old if not old.counts else measurement
            measurement = replace(worse, times_s=old.times_s + measurement.times_s)
        found[key] = measurement
    return found


def _cell(name: str, run: ToolRun, found: dict[Key, Measurement], keys: Sequence[Key], speed: float) -> Cell:
    counted = {key: found[key] for key in keys if key in found and found[key].counts}
    intervals = [measurement.interval_s for measurement in counted.values()]
    known = [interval for interval in intervals if interval is not None]
    spreads = [
        (high - low) / 2 / m.median_s
        for m in counted.values()
        if m.interval_s is not None and m.median_s
        for low, high in [m.interval_s]
    ]
    return Cell(
        speed=speed,
        num_counted=len(counted),
        num_asked=len(keys),
        total_s=sum(m.median_s for m in counted.values()),
        interval_s=(sum(low for low, _ in known), sum(high for _, high in known))
        if known and len(known) == len(intervals)
        else None,
        ratio=_ratio(name, counted),
        spread=max(spreads, default=None),
        problems=_problems(found, keys),
        is_undefined=run.problem == STATUS_UNDEFINED,
        is_judged=all(m.valid is not None for m in counted.values()),
    )


def _problems(found: dict[Key, Measurement], keys: Sequence[Key]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = defaultdict(int)
    for key in keys:
        measurement = found.get(key)
        if measurement is None:
            counts["missing"] += 1
        elif measurement.status != STATUS_OK:
            counts[measurement.status] += 1
        elif measurement.valid is False:
            counts["invalid"] += 1
        elif not measurement.times_s:
            counts["untimed"] += 1
    return tuple(sorted(counts.items()))


def _ratio(name: str, counted: dict[Key, Measurement]) -> float | None:
    primal, derivative = parts_of(name)
    logs = []
    for (function, workload), measurement in counted.items():
        other = counted.get((primal, workload)) if function == derivative and primal is not None else None
        if other is not None and other.median_s and measurement.median_s:
            logs.append(math.log(measurement.median_s / other.median_s))
    return math.exp(sum(logs) / len(logs)) if logs else None


def _three_digits(value: float) -> str:
    return "0" if value == 0 else f"{value:#.3g}".rstrip(".") if value < 999.5 else f"{value:.0f}"


def format_speed(cell: Cell) -> str:
    """Format a percentage, with more digits if it is small."""
    percent = cell.speed * 100
    if percent >= 9.95 or percent == 0:
        return f"{percent:.0f}%"
    return f"{percent:.1f}%" if percent >= 0.095 else f"{percent:.2f}%" if percent >= 0.0095 else "<0.01%"


def format_ratio(ratio: float) -> str:
    """Format with three digits and no exponent: ``1.53``, ``20900``."""
    return _three_digits(ratio) if ratio < 999.5 else f"{float(f'{ratio:.3g}'):.0f}"


def describe_problems(cell: Cell) -> str:
    """Return for example ``1 invalid, 2 missing``; empty if everything counts."""
    return ", ".join(f"{count} {problem}" for problem, count in cell.problems)


def describe_cell(eval_name: str, tool: str, cell: Cell) -> list[str]:
    """Return what a reader wants to know about a cell in addition to its speed, one fact per line."""
    if cell.is_undefined:
        return [f"{tool} on {eval_name}: the tool lacks this eval."]
    lines = [f"{tool} on {eval_name}: speed {format_speed(cell)}"]
    lines.append(f"{cell.num_counted} of {cell.num_asked} evaluations count")
    if cell.problems:
        lines[-1] += f" ({describe_problems(cell)})"
    if cell.num_counted:
        line = f"time {format_seconds(cell.total_s)}"
        if cell.interval_s is not None:
            line += f" (95%: {format_seconds(cell.interval_s[0])} to {format_seconds(cell.interval_s[1])})"
        lines.append(line)
    if cell.spread is not None:
        lines.append(f"widest interval of a median: ±{cell.spread:.1%}")
    if cell.ratio is not None:
        lines.append(f"derivative / primal: {format_ratio(cell.ratio)} (geometric mean)")
    if not cell.is_judged:
        lines.append("not every output was judged")
    return lines
