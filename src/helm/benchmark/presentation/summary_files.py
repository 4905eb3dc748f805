"""The files of a summary that are not made by the steps of a `Summarizer`: the date, and what HELM does not have."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from helm.benchmark.presentation.summary import Summary
from helm.common.errors import HelmError
from helm.results.run_files.json_files import rewrite_json

if TYPE_CHECKING:
    from helm.benchmark.presentation.costs import GetPrice


def write_executive_summary(folder: str, release: str | None, suites: Sequence[str]) -> None:
    """Write summary.json: the suites and the date."""
    from datetime import date

    data: dict[str, Any] = {"release": release} if release is not None else {}
    data["suites"] = list(suites)
    if release is None:
        data["suite"] = suites[0]
    data["date"] = date.today().isoformat()
    path = os.path.join(folder, "summary.json")
    try:
        rewrite_json(path, data)  # helm-server uses its modification time to find the newest suite
    except OSError as e:
        raise HelmError(f"Cannot write {path}: {e.strerror or e}") from e


def num_processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def write_own_files(summary: Summary, get_price: "GetPrice") -> str:
    """Write what HELM does not have: costs, the tables as CSV and Markdown, and the page.

    Returns: the page's path.
    """
    from helm.benchmark.presentation.costs import compute_token_costs, create_cost_table, write_token_costs
    from helm.benchmark.presentation.page import write_page
    from helm.benchmark.presentation.tables.table_files import write_table_files

    costs = compute_token_costs(summary.runs, get_price)
    summary.costs = create_cost_table(costs)
    try:
        write_token_costs(summary.path, costs)
        write_table_files(summary)
        return write_page(summary)
    except OSError as e:
        raise HelmError(f"Cannot write {e.filename or summary.path}: {e.strerror or e}") from e
