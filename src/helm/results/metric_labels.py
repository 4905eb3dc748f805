"""Looks up single names in the text of the default schema, because parsing all of it takes longer than a small run.

The results equal those of `read_schema`; a test compares all names.
"""

import os
import re
from dataclasses import dataclass
from functools import cache

from helm.results.board import BoardColumn

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "benchmark", "static")
_FILES = ("schema.yaml", "schema_classic.yaml")
"""The default schema, and the one that it extends. If both define a name, the first one counts."""

_SECTION = re.compile(r"^(\w+):\s*$", re.MULTILINE)
_ITEM = re.compile(r"^  - \{?\"?name\"?: (?P<name>\"[^\"\n]*\"|'[^'\n]*'|[^,}\n]*)", re.MULTILINE)
_ENVIRONMENT = re.compile(r"\benvironment\"?: (?:\*(?P<alias>\w+)|(?:&\w+ )?\{(?P<pairs>[^}]*)\})")


@dataclass(frozen=True)
class MetricLabel(BoardColumn):
    """How a metric is shown."""

    name: str
    """The shortest of its display names."""

    lower_is_better: bool | None = None
    """Which direction is better; None means neither."""

    unit: str | None = None
    """The unit of its values."""


def find_environment(run_group: str) -> dict[str, str]:
    """Return the environment of a run group (`main_name`, `main_split`); empty for groups without one."""
    for file_name in _FILES:
        text, items = _items(file_name)["run_groups"]
        if run_group not in items:
            continue
        found = _ENVIRONMENT.search(items[run_group])
        if found is None:
            return {}
        pairs = found["pairs"]
        if found["alias"]:
            anchor = re.search(rf"&{found['alias']} \{{([^}}]*)\}}", text)
            pairs = anchor[1] if anchor else ""
        return {_plain(key): _plain(value) for key, _, value in (pair.partition(":") for pair in pairs.split(","))}
    return {}


def find_metric_label(name: str) -> MetricLabel | None:
    """Return how the default schema shows a metric; None if it does not define it."""
    for file_name in _FILES:
        _, items = _items(file_name)["metrics"]
        if name not in items:
            continue
        shown = _value(items[name], "short_display_name") or _value(items[name], "display_name") or name
        direction = _value(items[name], "lower_is_better")
        unit = _value(items[name], "unit")
        return MetricLabel(shown, None if direction is None else direction == "true", unit)
    return None


def find_unit(metric: str) -> str | None:
    """Return the unit of a metric in the default schema, also for the worst case over perturbations (`NAME@...`)."""
    label = find_metric_label(metric) or find_metric_label(metric.partition("@")[0])
    return None if label is None else label.unit


@cache
def _items(file_name: str) -> dict[str, tuple[str, dict[str, str]]]:
    """Return, by section of the file, its text and the text of each item by name."""
    with open(os.path.join(_FOLDER, file_name), encoding="utf-8") as file:
        text = file.read()
    heads = list(_SECTION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found = {}
    for head, end in zip(heads, ends, strict=True):
        section = text[head.end() : end]
        matches: list[re.Match[str]] = list(_ITEM.finditer(section))
        stops = [match.start() for match in matches[1:]] + [len(section)]
        items: dict[str, str] = {}
        for match, stop in zip(matches, stops, strict=True):
            items.setdefault(_plain(match["name"]), section[match.start() : stop])
        found[head[1]] = (text, items)
    return found


def _value(item: str, key: str) -> str | None:
    match = re.search(rf"(?:[ {{])\"?{key}\"?: (\"[^\"\n]*\"|'(?:[^'\n]|'')*'|[^,}}\n]*)", item)
    return _plain(match[1]) if match else None


def _plain(text: str) -> str:
    text = text.strip()
    if text[:1] in ("'", '"'):
        return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1]
    return text
