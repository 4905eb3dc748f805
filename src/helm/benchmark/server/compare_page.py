"""Compares two or more runs side by side, instance by instance."""

import difflib
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from helm.benchmark.server.board_cells import make_cell
from helm.benchmark.server.instance_pages import judged_metrics, main_metric
from helm.benchmark.server.links import page_link
from helm.benchmark.server.viewer import BadQuery, Page, Query, Viewer
from helm.common.errors import HelmError
from helm.results.index.index_folder import RunEntry
from helm.results.index.index_query import DIFFERENCES, JOINED_SORTS, JoinedIndex, JoinedTotals
from helm.results.metric_names import is_score
from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME
from helm.results.run_results import RunResults

# As many columns as fit next to each other on a screen.
MAX_RUNS = 6
_MOST_TESTED_INSTANCES = 5000
"""Tests read all files of the runs; larger runs are for `helm-compare`."""
_MAX_DIFFERENCES = 40
_MAX_SETTING_CHARACTERS = 300
COMPUTING = "computing"
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def compare(viewer: Viewer, query: Query, path: str) -> Page:
    """Compare the runs in the URL; without any, explain what to do."""
    paths = list(dict.fromkeys(query.all("run")))
    if len(paths) > MAX_RUNS:
        raise BadQuery(f"At most {MAX_RUNS} runs can be compared at once, not {len(paths)}.")
    entries = [viewer.entry(name) for name in paths]
    if len(entries) < 2:
        return Page("compare_start.html", _start(viewer, query, entries))
    waiting: list[RunEntry] = []
    metrics: list[str] | None = None
    for entry in entries:
        index = viewer.indexer.open_instances(entry.path, wanted_rows=10**9, wait_s=2.0)
        if index is None:
            waiting.append(entry)
            continue
        with index:
            if not index.state.is_final:
                waiting.append(entry)
            found = index.state.metrics
            metrics = found if metrics is None else [name for name in metrics if name in found]
    values: dict[str, Any] = {"entries": entries, "cells": [make_cell(entry) for entry in entries], "waiting": waiting}
    if waiting:
        return Page("compare.html", values, refresh_s=2)
    metrics = [name for name in metrics or [] if is_score(name)]
    if not metrics:
        names = " and ".join(entry.name for entry in entries)
        raise BadQuery(f"{names} have no scores of single instances under the same name.")
    metric = query.get("metric") or _usual_metric(entries)
    metric = metric if metric in metrics else metrics[0]
    difference = query.choice("only", DIFFERENCES)
    sort = query.choice("sort", JOINED_SORTS)
    start = query.integer("start", 0)
    limit = viewer.settings.rows_per_page
    folder = viewer.indexer.folder
    with JoinedIndex([folder.instances_path(entry.path) for entry in entries], metric) as joined:
        totals = _totals(joined, tuple((entry.path, entry.signature) for entry in entries), metric, folder.path)
        rows = joined.page(difference, sort, start, limit)
    common, sizes = totals.common, totals.sizes
    total = {"score": totals.num_score, "output": totals.num_output}.get(difference, common)
    values.update(
        common=common, sizes=sizes, means=totals.means, total=total, num_score=totals.num_score,
        num_output=totals.num_output,
    )  # fmt: skip
    given = {"run": paths, "metric": query.get("metric"), "only": difference, "sort": query.get("sort")}
    values.update(
        metric=metric,
        metric_unit=entries[0].unit(metric),
        judged=judged_metrics(entries[0]),
        metrics=metrics,
        only=difference,
        sort=sort,
        sorts=JOINED_SORTS,
        start=start,
        limit=limit,
        rows=[_shown_row(row) for row in rows],
        settings=_different_settings(viewer, entries),
        report=_report(viewer, entries, metric, max(sizes)) if common else None,
        too_many=max(sizes) > _MOST_TESTED_INSTANCES,
        here=lambda **changes: page_link("compare", **{**given, **changes}),
    )
    return Page("compare.html", values, refresh_s=2 if values["report"] == COMPUTING else None)


_TOTALS: dict[Any, JoinedTotals] = {}
"""Cached totals by the runs they are about; the oldest are dropped."""


def _totals(joined: JoinedIndex, runs: Any, metric: str, index_path: str) -> JoinedTotals:
    """Return totals, cached per set of files because every page of a comparison shows them."""
    key = (runs, metric, index_path)
    found = _TOTALS.get(key)
    if found is None:
        while len(_TOTALS) >= _MAX_REPORTS:
            _TOTALS.pop(next(iter(_TOTALS)), None)
        found = _TOTALS[key] = joined.totals()
    return found


def _usual_metric(entries: Sequence[RunEntry]) -> str:
    """Return the default metric: the main one, or the other one if AD tools solved everything and only that one differs."""
    first, *_ = mains = [entry.summary.get("main") or [] for entry in entries]
    kind = entries[0].subject_kind
    is_solved = all(main and main[0]["name"] == kind.share_score and main[0]["value"] == 1 for main in mains)
    return str(first[kind.shown_score]["name"]) if is_solved else main_metric(entries[0])


def _start(viewer: Viewer, query: Query, entries: Sequence[RunEntry]) -> dict[str, Any]:
    """List tasks that several subjects did."""
    _, found = viewer.suite_entries(query)
    tasks: dict[str, list[RunEntry]] = {}
    for entry in found:
        if entry.summary.get("status") == "done":
            tasks.setdefault(entry.task, []).append(entry)
    return {"tasks": {task: runs for task, runs in tasks.items() if len(runs) > 1}, "chosen": entries, "most": MAX_RUNS}


@dataclass
class ShownRow:
    """A row of the table."""

    row: Any

    outputs: list[list[tuple[str, bool]]]
    """For each run, pieces of its output, and whether the others differ there."""


def _shown_row(row: Any) -> ShownRow:
    outputs = [unit.output for unit in row.units]
    if len(outputs) == 2 and outputs[0] != outputs[1]:
        return ShownRow(row, list(_mark_differences(*outputs)))
    return ShownRow(row, [[(text, False)] for text in outputs])


def _mark_differences(a: str, b: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Split both texts into pieces, word by word."""
    left, right = _TOKEN.findall(a), _TOKEN.findall(b)
    found: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = ([], [])
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for pieces, tokens in zip(found, (left[i1:i2], right[j1:j2]), strict=True):
            if tokens:
                pieces.append(("".join(tokens), tag != "equal"))
    return found


def _different_settings(viewer: Viewer, entries: Sequence[RunEntry]) -> list[dict[str, Any]]:
    """Return the settings in which the run specs differ, by path."""
    flat: list[dict[str, str]] = []
    for entry in entries:
        results = RunResults(viewer.indexer.folder.run_path(entry.path))
        flat.append(
            _flatten(results.read_plain(RUN_SPEC_FILE_NAME)) if RUN_SPEC_FILE_NAME in results.file_names else {}
        )
    names = dict.fromkeys(name for spec in flat for name in spec)
    rows = [
        {"name": name, "values": [_short(spec.get(name, "")) for spec in flat]}
        for name in names
        if len({spec.get(name) for spec in flat}) > 1
    ]
    return rows[:_MAX_DIFFERENCES]


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SETTING_CHARACTERS else text[:_MAX_SETTING_CHARACTERS] + "…"


def _flatten(value: Any, place: str = "", depth: int = 0) -> dict[str, str]:
    """Return leaves by path; anything nested deeper than run specs is shown as a single value."""
    if depth < 12 and isinstance(value, Mapping):
        items = [(f"{place}.{key}" if place else str(key), item) for key, item in value.items()]
    elif depth < 12 and isinstance(value, list):
        items = [(f"{place}[{number}]", item) for number, item in enumerate(value)]
    else:
        return {place: str(value)}
    found: dict[str, str] = {}
    for name, item in items:
        found.update(_flatten(item, name, depth + 1))
    return found


_REPORTS: "dict[Any, Future[Any]]" = {}
"""Cached reports by the runs they are about; the oldest are dropped."""
# Reports of large runs take megabytes.
_MAX_REPORTS = 32
# Most reports are ready by then; the reader of a slower one gets a page that reloads itself.
_PATIENCE_S = 1.5
_POOL = ThreadPoolExecutor(1, thread_name_prefix="compare")


def _report(viewer: Viewer, entries: Sequence[RunEntry], metric: str, num_instances: int) -> Any:
    """Return the report of `helm-compare`. None if there are too many instances; `COMPUTING` until it is ready."""
    if num_instances > _MOST_TESTED_INSTANCES:
        return None
    key = (tuple((entry.path, entry.signature) for entry in entries), metric, viewer.output_path)
    if key not in _REPORTS:
        while len(_REPORTS) >= _MAX_REPORTS:
            _REPORTS.pop(next(iter(_REPORTS)))
        _REPORTS[key] = _POOL.submit(_make_report, viewer, entries, metric)
    try:
        return _REPORTS[key].result(None if viewer.settings.waits else _PATIENCE_S)
    except TimeoutError:
        return COMPUTING


def _make_report(viewer: Viewer, entries: Sequence[RunEntry], metric: str) -> Any:
    from helm.results.comparison.comparing import CompareOptions, Comparer
    from helm.results.comparison.task_matching import Subject
    from helm.results.metric_choice import MetricChoice

    labels = [entry.subject for entry in entries]
    if len(set(labels)) < len(labels):
        labels = [entry.path for entry in entries]
    subjects = [
        Subject(label, [RunResults(viewer.indexer.folder.run_path(entry.path))])
        for label, entry in zip(labels, entries, strict=True)
    ]
    main = [item for item in entries[0].summary.get("main") or [] if item["name"] == metric]
    choice = MetricChoice(metric, main[0]["split"] if main else None)
    try:
        report = Comparer(CompareOptions(metrics=[choice])).compare(subjects)
    except HelmError as e:
        return {"refused": [str(e)], "results": []}
    return {"refused": report.refused, "results": report.results, "confidence": report.confidence}
