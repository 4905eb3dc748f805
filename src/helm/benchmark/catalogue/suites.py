"""Suites: sets of run entries that ship with the package, `helm/config/run_entries/NAME.yaml`.

`helm-run -c lite` reads the suite `lite`, and so does the name of HELM's file, `-c run_entries_lite.conf`. A file of that name
in the working directory wins.
"""

import os
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from helm.common.errors import ConfigError

EACH = "each"
"""`each: [a, b]` repeats an entry with `${each}` as a, then b, in its text and its groups. `each: {x: [...], y: [...]}` has a
name for each list, and the last one changes fastest."""

_CLASSIC = "classic"
"""HELM's file for its first leaderboard has no name of its own: `run_entries.conf`."""

GROUPS = (
    "to begin with",
    "leaderboards",
    "languages",
    "medicine, law and other fields",
    "safety and opinions",
    "images, sound and video",
    "experiments",
)
"""What a suite can be listed under."""

_OWN = ("open_llm", "smoke")
"""The suites that HELM does not have."""

_PREFIX = "run_entries_"
_LIKENESS = 0.7
"""Share of characters in which a name has to agree with a suite's: among seventy names, something is always near."""

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
    folded = folded.replace("-", "_")
    folded = _CLASSIC if folded == _PREFIX.rstrip("_") else folded.removeprefix(_PREFIX)
    return folded if folded in suite_names() else None


def nearest_suite(name: str) -> str | None:
    """Return the suite that a user who typed an unknown `name` may have meant, or None; never for a path."""
    from helm.common.errors import nearest

    if os.path.sep in name or os.path.splitext(name)[1] not in ("", *_ENDINGS):
        return None
    text = name.removesuffix(".conf").removesuffix(".yaml").removeprefix(_PREFIX)
    return nearest(text, suite_names(), cutoff=_LIKENESS)


@cache
def _read(name: str) -> dict[str, Any]:
    from helm.common.files import load_yaml

    return load_yaml(os.path.join(_folder(), f"{name}.yaml"))


def conf_file_name(name: str) -> str | None:
    """Return the name of HELM's conf file that a suite equals; None for a suite of this package."""
    if name in _OWN:
        return None
    return "run_entries.conf" if name == _CLASSIC else f"{_PREFIX}{name}.conf"


def describe_suite(name: str) -> str:
    """Return the sentence that says what a suite is."""
    return _read(name)["description"]


def suites_by_group() -> dict[str, list[str]]:
    """Return the names of all suites by group, in the order of `GROUPS`."""
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name in suite_names():
        groups[_read(name)["group"]].append(name)
    return groups


def suite_defaults(name: str) -> dict[str, Any]:
    """Return the settings of helm-run, by field of RunSettings, that hold unless the command line has them."""
    return dict(_read(name).get("defaults", {}))


def suite_entries(name: str) -> list[tuple[str, int | None, list[str] | None]]:
    """Return description, priority and groups of each run entry of a suite, in order.

    Raises: ConfigError for a name that is none.
    """
    if name not in suite_names():
        raise ConfigError(f"There is no suite '{name}'. Suites: {', '.join(suite_names())}.")
    return list(expand_items(_read(name)["entries"]))


def expand_items(
    items: list[dict[str, Any]], outer: dict[str, str] | None = None
) -> Iterator[tuple[str, int | None, list[str] | None]]:
    """Yield description, priority and groups of each run entry that the items of a suite's file stand for.

    Args:
        items: `{entry: ..., priority: ..., groups: [...], each: ...}`, or `{each: ..., entries: [...]}`, whose items are all
            repeated for each value.
        outer: placeholder -> value, from the lists around the items.
    """
    for raw in items:
        lists = raw.get(EACH, {})
        if isinstance(lists, list):
            lists = {EACH: lists}
        for values in product(*lists.values()):
            bound = {**(outer or {}), **{f"${{{key}}}": str(value) for key, value in zip(lists, values, strict=True)}}
            if "entries" in raw:
                yield from expand_items(raw["entries"], bound)
                continue
            groups = raw.get("groups")
            named = [_fill(group, bound) for group in groups] if groups is not None else None
            yield _fill(raw["entry"], bound), raw.get("priority"), named


def _fill(text: str, bound: dict[str, str]) -> str:
    for key, value in bound.items():
        text = text.replace(key, value)
    return text
