"""Reads YAML files of long lists in a form that can be read fifty times faster than other YAML.

The built-in catalogue has more than a thousand entries, which take a YAML parser most of a second. In its files, every item
of the only list is a JSON object on a line of its own, so that a JSON parser can read them with the same result as any YAML
parser. The first line of a file announces this form.
"""

import re
from collections.abc import Callable
from typing import Any, TypeVar

from helm.common.errors import ConfigError

T = TypeVar("T")

FIRST_LINE = "# helm: one JSON object on each line"

_DATE = re.compile(r'date": (\d{4}-\d\d-\d\d)')
"""Dates, which YAML writes without quotes, while JSON has only texts. (Patterns that begin with plain text are fast.)"""


def read_json_lines_yaml(path: str, key: str, item_type: type[T]) -> list[T] | None:
    """Return the items of the list `key` as dataclasses `item_type`, or None if the file is ordinary YAML.

    Raises ConfigError with the file and the line if that is not a comment, the key or such an object.
    """
    import msgspec

    with open(path, encoding="utf-8") as file:
        if not file.readline().startswith(FIRST_LINE):
            return None
        lines = file.read().split("\n")
    texts = []
    for number, line in enumerate(lines, start=2):
        if line.startswith("  - {"):
            texts.append(line[4:])
        elif line.strip() and not line.lstrip().startswith("#") and line != f"{key}:":
            raise ConfigError(
                f"{path}: line {number}: expected '  - {{...}}', a comment or '{key}:', got {line[:60]!r}."
            )
    try:
        return msgspec.json.decode(_as_json(",".join(texts)), type=list[item_type])  # type: ignore[valid-type]
    except msgspec.DecodeError as e:
        raise _error_of_a_line(path, lines, item_type) or ConfigError(f"{path}: {e}") from e


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


def _error_of_a_line(path: str, lines: list[str], item_type: type[Any]) -> ConfigError | None:
    import msgspec

    for number, line in enumerate(lines, start=2):
        if line.startswith("  - {"):
            try:
                msgspec.json.decode(_as_json(line[4:]), type=list[item_type])  # type: ignore[valid-type]
            except msgspec.DecodeError as e:
                return ConfigError(f"{path}: line {number}: {e}: {line[:80]!r}.")
    return None
