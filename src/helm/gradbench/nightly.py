"""The ``gradbench nightly`` verb: the whole matrix within a time budget, a history, and what has become slower since.

A folder holds ``runs/STAMP/EVAL/TOOL.jsonl``, one folder of logs for each night, and ``site``: the report of each pair's newest
run, the page of changes and ``history.json``. The site needs no server.
"""

from __future__ import annotations

import datetime
import html
import json
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.gradbench.evals.registry import package_eval_names
from helm.gradbench.log import LogError
from helm.gradbench.report.measurements import Measurement, ToolRun, read_log
from helm.gradbench.report.pages import write_report_of
from helm.gradbench.suite import log_name, run_suite
from helm.gradbench.tools.programs import PROGRAM_TOOLS
from helm.gradbench.tools.registry import (
    LIBRARY_TOOL_NAMES,
    PROGRAM_TOOL_NAMES,
    TOOL_NAMES,
    check_tool,
    supported_evals,
)
from helm.results.timings import estimate_ratio_of_medians

RUNS, SITE = "runs", "site"
_STAMP = "%Y-%m-%dT%H%M%SZ"

Key = tuple[str, str, str, str]
"""Eval, tool, function and workload."""


@dataclass(frozen=True)
class Change:
    """How a median has moved between two nights."""

    key: Key
    before_s: float
    after_s: float
    ratio: tuple[float, float]
    """The 95% interval of after over before, as ``helm-compare`` computes it."""

    @property
    def is_slower(self) -> bool:
        return self.ratio[0] > 1

    @property
    def is_faster(self) -> bool:
        return self.ratio[1] < 1


@dataclass(frozen=True)
class Comparison:
    """Two nights side by side."""

    changes: tuple[Change, ...]
    """What both have measured with an interval, the largest slowdown first."""

    broken: tuple[Key, ...]
    """What was right and is not any more."""

    missing: tuple[Key, ...]
    """What was measured and was not reached."""


def installed_tools() -> list[str]:
    """Return our tools whose libraries are installed; those in C++ are built. The reasons of the others are printed."""
    found = []
    for name in (*TOOL_NAMES, *LIBRARY_TOOL_NAMES, *PROGRAM_TOOL_NAMES):
        try:
            check_tool(name)
            if name in PROGRAM_TOOLS:
                PROGRAM_TOOLS[name].words()
        except HelmError as error:
            print(f"left out: {str(error).splitlines()[0]}", flush=True)
        else:
            found.append(name)
    return found


def run_nightly(
    folder: Path,
    evals: Sequence[str],
    tools: Sequence[str],
    budget_s: float,
    timeout_s: int | None = None,
    tolerance: float = 0.1,
) -> int:
    """Run evals against tools until the budget is spent, then write the site; returns 1 if something broke or is slower.

    The pairs that were measured the longest time ago come first, so that a short budget reaches all of them in some nights.
    A pair is not begun after the end of the budget, and one that has begun is not interrupted.

    Args:
        folder: holds the history; it is made if there is none.
        evals: names with flags; by default all.
        tools: names; by default those that are installed.
        budget_s: seconds for all pairs together.
        timeout_s: limit for each answer of a tool, in seconds.
        tolerance: a median counts as slower if even the lower bound of its ratio is above 1 by this much.
    Raises: HelmError as ``run_suite`` does.
    """
    nights = history(folder)
    chosen = tools or installed_tools()
    night = folder / RUNS / datetime.datetime.now(datetime.UTC).strftime(_STAMP)
    if night.exists():
        raise HelmError(f"{night} exists already: another night began in the same second.")
    pairs = [
        (eval_text, tool)
        for eval_text in evals or package_eval_names()
        for tool in chosen
        if tool.startswith("$") or eval_text.startswith("$") or eval_text.split()[0] in supported_evals(tool.split()[0])
    ]
    end = time.monotonic() + budget_s
    done = 0
    for eval_text, tool in sorted(pairs, key=lambda pair: _last_night(nights, *pair)):
        if done and time.monotonic() >= end:
            break
        code = run_suite([eval_text], [tool], night, timeout_s)
        if code:
            return code
        done += 1
    print(f"{done} of {len(pairs)} pairs were run.")
    comparison = write_site(folder, tolerance)
    slower = [change for change in comparison.changes if change.ratio[0] > 1 + tolerance]
    for key in comparison.broken:
        print(f"broken: {_words(key)}")
    for change in slower:
        print(f"slower: {_words(change.key)}, {change.ratio[0]:.2f} to {change.ratio[1]:.2f} times")
    print(folder / SITE / "index.html")
    return 1 if slower or comparison.broken else 0


def history(folder: Path) -> list[Path]:
    """Return the folders of the nights, the oldest first."""
    return sorted(path for path in (folder / RUNS).glob("*") if path.is_dir())


def _last_night(nights: Sequence[Path], eval_text: str, tool: str) -> str:
    name = Path(log_name(eval_text)) / f"{log_name(tool)}.jsonl"
    return max((night.name for night in nights if (night / name).exists()), default="")


def _read(log: Path) -> ToolRun:
    try:
        with open(log, "rb") as lines:
            return read_log(lines, log.parent.name, log.stem)
    except LogError as error:
        raise HelmError(f"{log}: {error}") from error


def _by_key(run: ToolRun) -> dict[Key, Measurement]:
    """Return the measurements; evaluations of a workload without description, or of the same one, are numbered."""
    found: dict[Key, Measurement] = {}
    for measurement in run.measurements:
        workload, number = measurement.workload or "", 1
        while (key := (run.eval, run.tool, measurement.function, workload)) in found:
            number += 1
            workload = f"{measurement.workload or ''} #{number}".lstrip()
        found[key] = measurement
    return found


def compare_runs(before: ToolRun, after: ToolRun) -> Comparison:
    """Compare two runs of a tool on an eval; a function that was timed once only has no interval and is left out."""
    old, new = _by_key(before), _by_key(after)
    changes = []
    for key in old.keys() & new.keys():
        first, second = old[key], new[key]
        if not (first.counts and second.counts):
            continue
        ratio = estimate_ratio_of_medians(second.times_s, first.times_s)
        if ratio is not None and ratio.low is not None and ratio.high is not None:
            changes.append(Change(key, first.median_s, second.median_s, (ratio.low, ratio.high)))
    broken = (key for key, found in old.items() if found.counts and key in new and not new[key].counts)
    missing = (key for key, found in old.items() if found.counts and key not in new)
    return Comparison(tuple(changes), tuple(broken), tuple(missing))


def write_site(folder: Path, tolerance: float = 0.1) -> Comparison:
    """Write the report of each pair's newest run and the page of changes below ``folder/site``; returns the changes.

    Each pair of the newest night is compared with the last night before it that measured the pair. Raises: HelmError if
    there is no night, or for a log that cannot be read.
    """
    nights = history(folder)
    if not nights:
        raise HelmError(f"{folder / RUNS} holds no night.")
    logs: dict[tuple[str, str], list[Path]] = {}
    for night in nights:
        for log in sorted(night.glob("*/*.jsonl")):
            logs.setdefault((log.parent.name, log.stem), []).append(log)
    newest = {pair: _read(found[-1]) for pair, found in sorted(logs.items())}
    found = [
        compare_runs(_read(logs[pair][-2]), run)
        for pair, run in newest.items()
        if len(logs[pair]) > 1 and logs[pair][-1].is_relative_to(nights[-1])
    ]
    comparison = Comparison(
        tuple(sorted((change for each in found for change in each.changes), key=lambda change: -change.ratio[0])),
        tuple(sorted(key for each in found for key in each.broken)),
        tuple(sorted(key for each in found for key in each.missing)),
    )
    site = folder / SITE
    write_report_of(list(newest.values()), site)
    write_text_atomically(str(site / "changes.html"), _page(nights, comparison, tolerance))
    means = {
        f"{eval_name} {tool}": (logs[eval_name, tool][-1].parent.parent.name, run)
        for (eval_name, tool), run in newest.items()
    }
    _add_to_history(site / "history.json", means)
    return comparison


def _add_to_history(file: Path, runs: Mapping[str, tuple[str, ToolRun]]) -> None:
    """Keep, for each eval and tool, the geometric mean of its medians in seconds, by night."""
    table: dict[str, dict[str, float]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name, (night, run) in runs.items():
        medians = [found.median_s for found in run.measurements if found.counts and found.median_s > 0]
        if medians:
            table.setdefault(name, {})[night] = statistics.geometric_mean(medians)
    write_text_atomically(str(file), json.dumps(table, indent=1, sort_keys=True) + "\n")


def _words(key: Key) -> str:
    eval_name, tool, function, workload = key
    return f"{tool} on {eval_name}::{function} {workload}".rstrip()


def _page(nights: Sequence[Path], comparison: Comparison, tolerance: float) -> str:
    rows = [
        "<tr{}>{}</tr>".format(
            ' class="slower"' if change.ratio[0] > 1 + tolerance else "",
            "".join(
                f"<td>{html.escape(cell)}</td>"
                for cell in (
                    *change.key,
                    f"{change.before_s:.3g}",
                    f"{change.after_s:.3g}",
                    f"{change.ratio[0]:.2f} to {change.ratio[1]:.2f}",
                )
            ),
        )
        for change in comparison.changes
        if change.is_slower or change.is_faster
    ]
    heads = "".join(
        f"<th>{name}</th>" for name in ("eval", "tool", "function", "workload", "before, s", "after, s", "ratio, 95%")
    )
    lists = "".join(
        f"<h2>{title}</h2><ul>{''.join(f'<li>{html.escape(_words(key))}</li>' for key in keys)}</ul>"
        for title, keys in (("Broken", comparison.broken), ("Not measured any more", comparison.missing))
        if keys
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Changes</title><style>'
        "body{font-family:sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:left}.slower{background:#fdd}"
        f"</style></head><body><h1>Changes</h1><p>{len(nights)} nights, the last one {html.escape(nights[-1].name)}. "
        f"{len(comparison.changes)} medians were compared with the last night that measured them; {len(rows)} differ. "
        '<a href="index.html">All results</a>, <a href="history.json">history</a>.</p>'
        f"{lists}<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></body></html>\n"
    )
