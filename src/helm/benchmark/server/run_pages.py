"""The list of runs, and the page of one."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from helm.benchmark.server.board_cells import make_cell
from helm.benchmark.server.instance_pages import MOST_OTHERS
from helm.benchmark.server.transcript_page import list_running
from helm.benchmark.server.viewer import Page, Query, Viewer, find_coverage
from helm.benchmark.subjects import LANGUAGE_MODEL, subject_kinds
from helm.common.errors import HelmError
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_summary import read_estimate
from helm.results.metric_names import is_score
from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME, SCENARIO_FILE_NAME
from helm.results.run_results import RunResults

# Keeps pages of suites with thousands of runs fast to load.
_RUNS_PER_PAGE = 100
_STATUSES = ("done", "failed", "unfinished")


def runs(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the runs of a suite, filtered; failed ones only on request."""
    _, entries = viewer.suite_entries(query, with_failed=query.get("status") == "failed")
    wanted, kind = query.get("q").lower().split(), query.choice("kind", ("", *(kind.name for kind in subject_kinds())))
    status = query.choice("status", ("", *_STATUSES))
    found = [
        entry
        for entry in entries
        if kind in ("", entry.kind)
        and status in ("", entry.status)
        and (not wanted or all(word in entry.name.lower() or word in entry.subject.lower() for word in wanted))
    ]
    start = query.integer("start", 0)
    per_page = len(found) or 1 if viewer.settings.is_static else _RUNS_PER_PAGE
    shown = found[start : start + per_page]
    rows = [{"entry": entry, "cell": make_cell(entry), "coverage": find_coverage(entry)} for entry in shown]
    values = {
        "rows": rows, "total": len(found), "start": start, "per_page": per_page, "q": query.get("q"), "kind": kind,
        "status": status, "kinds": subject_kinds(), "statuses": _STATUSES,
    }  # fmt: skip
    return Page("runs.html", values, viewer.refresh_while_busy())


def run(viewer: Viewer, query: Query, path: str) -> Page:
    """Show everything about one run except its instances."""
    entry = viewer.entry(path)
    results = RunResults(viewer.indexer.folder.run_path(path))
    stats, intervals = viewer.indexer.folder.stats(path)
    same_task = [
        other
        for other in viewer.indexer.folder.task_entries(entry.task)
        if other.path != path and other.kind == entry.kind
    ]
    problems = [str(found["problem"]) for found in (entry.summary, entry.facts or {}) if found.get("problem")]
    values = {
        "entry": entry,
        "cell": make_cell(entry),
        "spec": _read_plain(results, RUN_SPEC_FILE_NAME, problems),
        "scenario": _read_plain(results, SCENARIO_FILE_NAME, problems),
        "coverage": find_coverage(entry),
        "problems": list(dict.fromkeys(problems)),
        "error": entry.summary.get("error"),
        "missing": results.missing,
        "files": _files(results),
        "scores": _score_rows(entry, stats, intervals, is_wanted=is_score),
        "bookkeeping": _score_rows(entry, stats, [], is_wanted=lambda name: not is_score(name)),
        "cost": _cost(entry),
        "same_task": sorted(same_task, key=lambda other: (other.suite != entry.suite, other.name))[:MOST_OTHERS],
        "num_same_task": len(same_task),
        "episodes": (entry.facts or {}).get("episodes"),
        "workloads": (entry.facts or {}).get("workloads"),
        "is_computing": entry.facts is None,
        "running": [] if viewer.settings.is_static else list_running(results.path)[:100],
    }
    return Page("run.html", values, viewer.refresh_while_busy() if entry.facts is None else None)


def _read_plain(results: RunResults, name: str, problems: list[str]) -> Any:
    """Return the content of a small file; None if it is missing. Errors in it are added to the problems."""
    if name not in results.file_names:
        return None
    try:
        return results.read_plain(name)
    except HelmError as e:
        problems.append(str(e))
        return None


def _files(results: RunResults) -> list[dict[str, Any]]:
    found = []
    for name in sorted(os.listdir(results.path)):
        path = os.path.join(results.path, name)
        if os.path.isfile(path) and not os.path.islink(path):
            status = os.stat(path)
            found.append({"name": name, "size": status.st_size, "changed": status.st_mtime})
    return found


def _score_rows(
    entry: RunEntry, stats: Sequence[list[Any]], intervals: Sequence[list[Any]], is_wanted: Any
) -> list[dict[str, Any]]:
    """Return one row per metric, split and sub-split, with the scores under perturbations next to it."""
    by_key = {tuple(row[:4]): row for row in intervals}
    rows: dict[Any, dict[str, Any]] = {}
    for name, split, sub_split, perturbation, computed_on, mean, count in stats:
        if not is_wanted(name):
            continue
        row = rows.setdefault(
            (name, split, sub_split),
            {"name": name, "unit": entry.unit(name), "split": split, "sub_split": sub_split, "value": None,
             "estimate": None, "trials": None, "perturbed": []},
        )  # fmt: skip
        found = by_key.get((name, split, sub_split, perturbation))
        fits = found is not None and abs(found[4] - mean) <= 1e-6 * max(1.0, abs(mean))
        if perturbation is None:
            row.update(value=mean, estimate=read_estimate(found) if found and fits else None, trials=count)
        elif computed_on == "worst":
            row["perturbed"].append({"name": perturbation, "value": mean})
    kept = [row for row in rows.values() if row["value"] is not None or row["perturbed"]]
    for row in kept:
        if all(item["value"] == row["value"] for item in row["perturbed"]):
            row["perturbed"] = []  # HELM: without perturbations, the worst case under their names is the score itself
    return kept


def _cost(entry: RunEntry) -> Mapping[str, Any] | None:
    """Return the tokens and cost of a language model's run."""
    tokens = entry.summary.get("tokens")
    if entry.subject_kind is not LANGUAGE_MODEL or not tokens:
        return None
    from helm.benchmark.presentation.costs import TokenUsage, compute_cost_usd
    from helm.benchmark.price_registry import get_price
    from helm.common.formats.number_text import format_usd

    usage = TokenUsage(*tokens)
    price = get_price(str(entry.summary.get("deployment") or entry.subject))
    usd = None if price is None else compute_cost_usd(usage, price)
    return {
        "prompt": usage.prompt_tokens, "completion": usage.completion_tokens, "usd": format_usd(usd),
        "date": None if price is None else str(price.date),
    }  # fmt: skip
