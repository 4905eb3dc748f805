"""Suites: sets of run entries that ship with the package, `helm/config/run_entries/NAME.yaml`.

`helm-run -c lite` reads the suite `lite`, and so does the name of HELM's file, `-c run_entries_lite.conf`. A file of that name
in the working directory wins.
"""

import os
from functools import cache
from typing import Any

from helm.common.errors import ConfigError

EACH = "${each}"
"""Stands for every value of the list `each` of an entry, in its text and its groups."""

_PREFIX = "run_entries_"
_ENDINGS = (".conf", ".yaml")


def _folder() -> str:
    import helm.config

    return os.path.join(next(iter(helm.config.__path__)), "run_entries")


@cache
def suite_names() -> tuple[str, ...]:
    """Return the names of all suites. No file is read."""
    return tuple(sorted(name.removesuffix(".yaml") for name in os.listdir(_folder()) if name.endswith(".yaml")))


def find_suite(name: str) -> str | None:
    """Return the suite that `name` means (`lite`, `Lite`, `run_entries_lite.conf`), or None, also if there is such a file."""
    if os.path.sep in name or os.path.isfile(name):
        return None
    folded = name.casefold()
    for ending in _ENDINGS:
        folded = folded.removesuffix(ending)
    folded = folded.replace("-", "_").removeprefix(_PREFIX)
    return folded if folded in suite_names() else None


def nearest_suite(name: str) -> str | None:
    """Return the suite that a user who typed an unknown `name` may have meant, or None; never for a path."""
    from helm.common.errors import nearest

    if os.path.sep in name or os.path.splitext(name)[1] not in ("", *_ENDINGS):
        return None
    text = name.removesuffix(".conf").removesuffix(".yaml").removeprefix(_PREFIX)
    return nearest(text, suite_names())


@cache
def _read(name: str) -> dict[str, Any]:
    from helm.common.files import load_yaml

    return load_yaml(os.path.join(_folder(), f"{name}.yaml"))


def describe_suite(name: str) -> str:
    """Return the sentence that says what a suite is."""
    return _read(name)["description"]


def suite_defaults(name: str) -> dict[str, Any]:
    """Return the settings of helm-run, by field of RunSettings, that hold unless the command line has them."""
    return dict(_read(name).get("defaults", {}))


def suite_entries(name: str) -> list[tuple[str, int | None, list[str] | None]]:
    """Return description, priority and groups of each run entry of a suite, in order.

    Raises: ConfigError for a name that is none.
    """
    if name not in suite_names():
        raise ConfigError(f"There is no suite '{name}'. Suites: {', '.join(suite_names())}.")
    entries = []
    for raw in _read(name)["entries"]:
        groups = raw.get("groups")
        for value in raw.get("each", [""]):
            named = [group.replace(EACH, str(value)) for group in groups] if groups is not None else None
            entries.append((raw["entry"].replace(EACH, str(value)), raw.get("priority"), named))
    return entries
