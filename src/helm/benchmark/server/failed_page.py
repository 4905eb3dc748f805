"""Shows the failed runs: what they asked for and what went wrong. They have no results, so no table shows them."""

from typing import Any

from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.common.errors import HelmError
from helm.results.index.index_folder import RunEntry
from helm.results.run_files.run_error import RunError
from helm.results.run_files.run_folder import ERROR_FILE_NAME, RUN_SPEC_FILE_NAME
from helm.results.run_results import RunResults

_FACTS = (("stage", "Stage"), ("instance_id", "Instance"), ("error_type", "Error"))
_MOST_RUNS = 200
"""Maximum number on one page."""


def failed(viewer: Viewer, query: Query, path: str) -> Page:
    """Show all failed runs of a suite."""
    _, entries = viewer.suite_entries(query, with_failed=True)
    found = [entry for entry in entries if is_failed(entry)]
    return Page(
        "failed.html", {"failures": [_describe(viewer, entry) for entry in found[:_MOST_RUNS]], "total": len(found)}
    )


def is_failed(entry: RunEntry) -> bool:
    """Whether the run failed and has no results of an earlier attempt."""
    return entry.summary.get("status") == "failed"


def _describe(viewer: Viewer, entry: RunEntry) -> dict[str, Any]:
    """Return name, error, traceback and spec; for a damaged file, its name instead."""
    results = RunResults(viewer.indexer.folder.run_path(entry.path))
    problems: list[str] = []
    error = RunError.of(_read(results, ERROR_FILE_NAME, problems))
    return {
        "entry": entry,
        "name": error.run or entry.name,
        "message": error.message or str(entry.summary.get("error") or "It is not known why."),
        "facts": [(title, value) for key, title in _FACTS if (value := getattr(error, key))],
        "traceback": error.traceback,
        "spec": _read(results, RUN_SPEC_FILE_NAME, problems) or error.run_spec,
        "problems": problems,
    }


def _read(results: RunResults, name: str, problems: list[str]) -> dict[str, Any]:
    """Return the content of a small file; empty if it is missing."""
    if name not in results.file_names:
        return {}
    try:
        found = results.read_plain(name)
    except HelmError as e:
        problems.append(str(e))
        return {}
    return found if isinstance(found, dict) else {}
