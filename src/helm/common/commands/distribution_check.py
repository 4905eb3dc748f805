"""Detects another distribution that owns the package `helm`, since two of them overwrite each other's files.

Imports nothing beyond `os` and `sys` and costs a few milliseconds, because every command calls it first.
"""

import os
import sys
from collections.abc import Iterator

OWN_DISTRIBUTION = "helm-evals"
_METADATA_SUFFIXES = (".dist-info", ".egg-info")

# Files that make a distribution the owner. A plugin that adds modules under `helm/` (recipes, deployments) has none.
_OWNED_FILES = (b"helm/__init__.py", b"helm/benchmark/run.py")

# Installed in editable mode a distribution lists none of its files; these are known to own the package.
_KNOWN_OWNERS = ("crfm-helm",)


def find_other_owner(paths: list[str] | None = None) -> str | None:
    """Return another installed distribution that owns the package `helm`, or None. `paths` defaults to `sys.path`."""
    for folder in dict.fromkeys(sys.path if paths is None else paths):
        for name, metadata_folder in distributions(folder or "."):
            if name != OWN_DISTRIBUTION and _owns_helm(name, metadata_folder):
                return name
    return None


def distributions(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the normalized name and metadata folder of every distribution in a folder of the module path."""
    try:
        names = os.listdir(folder)
    except OSError:  # not a folder: a zip file, or gone
        return
    for name in names:
        if name.lower().endswith(_METADATA_SUFFIXES):
            distribution = name.rpartition(".")[0].split("-")[0]
            yield distribution.replace("_", "-").replace(".", "-").lower(), os.path.join(folder, name)


def _owns_helm(name: str, metadata_folder: str) -> bool:
    top_level = read_metadata(metadata_folder, "top_level.txt")
    if top_level is not None and b"helm" not in top_level.split():
        return False
    if name in _KNOWN_OWNERS:
        return True
    files = read_metadata(metadata_folder, "RECORD") or read_metadata(metadata_folder, "SOURCES.txt") or b""
    return any(files.startswith(owned) or b"\n" + owned in files for owned in _OWNED_FILES)


def read_metadata(folder: str, name: str) -> bytes | None:
    try:
        with open(f"{folder}/{name}", "rb", buffering=0) as file:  # unbuffered, because some hundred files are read
            return file.read()
    except OSError:  # the file is missing, or the metadata is a file instead of a folder
        return None


def check_sole_owner() -> None:
    """Print what to uninstall and exit with status 1 if another distribution owns the package `helm`."""
    other = find_other_owner()
    if other is not None:
        sys.stderr.write(
            f"The distribution '{other}' is installed next to '{OWN_DISTRIBUTION}', and both own the Python package "
            "'helm': each has overwritten files of the other.\n"
            f"Keep one of them in this environment. To keep {OWN_DISTRIBUTION}:\n"
            f"  pip uninstall {other} {OWN_DISTRIBUTION}\n"
            f"  pip install {OWN_DISTRIBUTION}\n"
        )
        raise SystemExit(1)
