"""Reads YAML files of long lists in a form that can be read fifty times faster than other YAML.

The built-in catalogue has more than a thousand entries, which take a YAML parser most of a second. In its files, every item
of a list is a JSON object on a line of its own, so that a JSON parser can read them with the same result as any YAML
parser. The first line of a file announces this form.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from helm.common.errors import ConfigError

T = TypeVar("T")

FIRST_LINE = "# helm: one JSON object on each line"

_DATE = re.compile(r'date": (\d{4}-\d\d-\d\d)')
"""Dates, which YAML writes without quotes, while JSON has only texts. (Patterns that begin with plain text are fast.)"""


def _read_objects(path: str, keys: Collection[str]) -> dict[str, list[str]] | None:
    """Return the lines with the objects of each list, or None if the file is ordinary YAML. Raises ConfigError."""
    with open(path, encoding="utf-8") as file:
        if not file.readline().startswith(FIRST_LINE):
            return None
        lines = file.read().split("\n")
    heads = {f"{key}:": key for key in keys}
    found: dict[str, list[str]] = {key: [] for key in keys}
    objects: list[str] | None = None
    for number, line in enumerate(lines, start=2):
        if line.startswith("  - {") and objects is not None:
            objects.append(line[4:])
        elif line in heads:
            objects = found[heads.pop(line)]
        elif line.strip() and not line.lstrip().startswith("#"):
            expected = " or ".join(["'  - {...}'", "a comment", *(f"'{head}'" for head in heads)])
            raise ConfigError(
                f"{path}: line {number}: expected {expected}, got {line[:60]!r}. "
                "Without its first line the file is ordinary YAML."
            )
    return found


def read_json_lines_yaml(path: str, key: str, item_type: type[T]) -> list[T] | None:
    """Return the items of the list `key` as dataclasses `item_type`, or None if the file is ordinary YAML.

    Raises ConfigError with the file and the line if that is not a comment, the key or such an object.
    """
    found = _read_objects(path, (key,))
    return None if found is None else _decode(path, found[key], item_type)


def read_json_lines_lists(path: str, keys: Sequence[str]) -> dict[str, list[Any]] | None:
    """Return the lists of a file as plain values, or None if it is ordinary YAML. Raises ConfigError as for objects of a type."""
    found = _read_objects(path, keys)
    return None if found is None else {key: _decode(path, found[key], Any) for key in keys}


def _decode(path: str, objects: list[str], item_type: Any) -> list[Any]:
    import msgspec

    try:
        found: list[Any] = msgspec.json.decode(_as_json(",".join(objects)), type=list[item_type])
        return found
    except msgspec.DecodeError as e:
        raise _error_of_a_line(path, item_type) or ConfigError(f"{path}: {e}") from e


def read_items(path: str, key: str, item_type: type[T], read_item: Callable[[Any, str], T]) -> list[T]:
    """Read the items of the list `key`, from JSON lines in YAML or from ordinary YAML.

    For ordinary YAML, `read_item` creates each item from plain values and a text that names its position.

    Raises: ConfigError; what `read_item` raises.
    """
    items = read_json_lines_yaml(path, key, item_type)
    if items is not None:
        return items
    from helm.common.files import load_yaml

    raw = load_yaml(path)
    entries = raw.get(key) if isinstance(raw, dict) else None
    if not isinstance(entries, list):
        raise ConfigError(f"{path}: expected a mapping whose key '{key}' holds a list.")
    return [read_item(entry, f"{path}: {key}[{i}]") for i, entry in enumerate(entries)]


def _as_json(objects: str) -> str:
    return "[" + _DATE.sub(r'date": "\1"', objects) + "]"


def _error_of_a_line(path: str, item_type: Any) -> ConfigError | None:
    import msgspec

    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), start=1):
            if line.startswith("  - {"):
                try:
                    msgspec.json.decode(_as_json(line[4:]), type=list[item_type])
                except msgspec.DecodeError as e:
                    return ConfigError(f"{path}: line {number}: {e}: {line[:80]!r}.")
    return None
