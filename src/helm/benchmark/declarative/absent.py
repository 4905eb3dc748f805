"""Run spec functions of the original that this package does not have, and why."""

import os
from functools import cache

from helm.common.files import load_yaml


@cache
def _reasons() -> dict[str, str]:
    """Name -> reason, in the order of the file."""
    groups = load_yaml(os.path.join(os.path.dirname(__file__), "absent.yaml"))
    return {name: group["reason"] for group in groups for name in group["names"]}


def names() -> list[str]:
    return list(_reasons())


def by_reason() -> dict[str, list[str]]:
    """Reason -> names."""
    groups: dict[str, list[str]] = {}
    for name, reason in _reasons().items():
        groups.setdefault(reason, []).append(name)
    return groups


def why_absent(name: str) -> str | None:
    """Why the original's run spec function of this name is not here; None for any other name."""
    return _reasons().get(name)
