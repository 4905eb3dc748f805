"""Shows the progress of a suite's commands from `progress.json`, which `helm-run` maintains."""

import os
import time
from typing import Any

from helm.benchmark.server.viewer import Page, Query, Viewer
from helm.common.telemetry.progress import RUN_STATES
from helm.common.telemetry.progress_report import read_progress

_MAX_RUNS = 200


def live(viewer: Viewer, query: Query, path: str) -> Page:
    """Show the commands that are running in a suite, and those that ended last."""
    suite = viewer.choose_suite(query)
    report = read_progress(os.path.join(viewer.indexer.folder.runs_folder, *suite.split("/"))) if suite else None
    now = time.time()
    commands: list[dict[str, Any]] = []
    for command in reversed(report.commands if report else []):
        state = command.state_at(now)
        order = {name: i for i, name in enumerate(("running", "failed", "waiting", "stopped", "skipped", "done"))}
        runs = sorted(command.runs, key=lambda run: order.get(run.state, 9))
        done, total = sum(run.done for run in runs), sum(run.total or 0 for run in runs)
        commands.append(
            {
                "report": command,
                "state": state,
                "is_over": command.is_over or state == "killed",
                "runs": runs[:_MAX_RUNS],
                "num_hidden": max(0, len(runs) - _MAX_RUNS),
                "counts": [(name, command.num_runs(name)) for name in RUN_STATES if command.num_runs(name)],
                "done": done,
                "total": total,
                "elapsed_s": (command.ended_at or (command.updated_at if command.is_over else now))
                - command.started_at,
            }
        )
    known = {os.path.basename(entry.path): entry.path for entry in viewer.entries().values() if entry.suite == suite}
    known.update({entry.name: entry.path for entry in viewer.entries().values() if entry.suite == suite})
    is_working = any(not command["is_over"] for command in commands)
    values = {"commands": commands, "paths": known, "has_report": report is not None}
    return Page("live.html", values, refresh_s=2 if is_working else 10 if not viewer.settings.is_static else None)
