"""Runs for the tests of results: made by `helm-run` in a folder, or put together by hand."""

import json
from pathlib import Path
from typing import Any

from helm.benchmark import run
from registries_support import empty_registries

FILES = ("run_spec.json", "scenario.json", "scenario_state.json", "stats.json", "per_instance_stats.json")


def helm_run(*entries: str, suite: str = "s", flags: list[str] | None = None) -> Path:
    """Runs in the current folder; returns the suite's folder."""
    with empty_registries():
        run.main(["-r", *entries, "-m", "12", "--suite", suite, *(flags or [])])
    return Path("benchmark_output/runs") / suite


def read_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def edit_json(path: Path, edit: Any) -> None:
    """Parse a file, change the value in place, write it in the layout of run files."""
    value = json.loads(path.read_text())
    edit(value)
    path.write_text(json.dumps(value, indent=2))
