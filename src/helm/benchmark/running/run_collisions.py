"""Prevents a run from overwriting another one whose name differs only by a `/` in place of a `_`."""

import os
from collections.abc import Iterator
from typing import Any

from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.run_writer import RUN_SPEC_FILE_NAME
from helm.common.codec import to_json_single_line
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import read_json


def check_no_collision(run_spec: RunSpec, run_path: str) -> None:
    """Check the folder of a run. Raises: ConfigError if it holds the results of a different run.

    Runs are different if their names differ, or if values differ that look alike only in folder names, where `/`
    becomes `_`. Other changes (`-m`) do not make a run different.
    """
    try:
        with open(os.path.join(run_path, RUN_SPEC_FILE_NAME), "rb") as file:
            there = read_json(file.read())
    except (OSError, ValueError):
        return  # nothing readable is there, so the run is executed again
    if not isinstance(there, dict):
        return
    what: str | None = None
    if there.get("name", run_spec.name) != run_spec.name:
        what = f"named '{there['name']}'"
    else:
        here = read_json(to_json_single_line(run_spec))
        key, old, new = next(_collisions("", there, here), ("", "", ""))
        if key:
            what = f"in which {key} is '{old}', not '{new}': in names of folders '/' is '_'"
    if what is not None:
        raise ConfigError(
            f"The run '{run_spec.name}' would overwrite another one in {run_path}, {what}. Write another value, or run it in a "
            "different suite (--suite)."
        )


def _collisions(key: str, there: Any, here: Any) -> Iterator[tuple[str, str, str]]:
    """Yield key, old text and new text where they differ only so. Class names and the run's name contain no slashes."""
    if isinstance(there, dict) and isinstance(here, dict):
        for name in there.keys() & here.keys():
            yield from _collisions(name, there[name], here[name])
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for old, new in zip(there, here, strict=True):
            yield from _collisions(key, old, new)
    elif isinstance(there, str) and isinstance(here, str) and there != here:
        if there.replace("/", "_") == here.replace("/", "_"):
            yield key, there, here
