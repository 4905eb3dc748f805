"""Run spec functions of HELM that this package lacks, and why."""

import os
from functools import cache

from helm.common.files import load_yaml


@cache
def _reasons() -> dict[str, str]:
    """Map each name to its reason, in the order of the file."""
    groups = load_yaml(os.path.join(os.path.dirname(__file__), "absent.yaml"))
    return {name: group["reason"] for group in groups for name in group["names"]}


def names() -> list[str]:
    return list(_reasons())


def by_reason() -> dict[str, list[str]]:
    """Map each reason to its names."""
    groups: dict[str, list[str]] = {}
    for name, reason in _reasons().items():
        groups.setdefault(reason, []).append(name)
    return groups


def why_absent(name: str) -> str | None:
    """Return why HELM's run spec function of this name is missing here; None for any other name."""
    return _reasons().get(name)
