"""`records:` of an entry: which values of a JSON document are rows."""

import re
from typing import Any

_STEP = re.compile(r"\.\*|\[\*\]|\.([A-Za-z_][\w-]*)|\['([^']*)'\]|\[(-?\d+)\]")


def select_records(value: Any, path: str) -> list[Any]:
    """Return what a path like `$.data[*].items[0]` selects. `.*` and `[*]` select all values of a mapping or list.

    Raises: ValueError for a path that cannot be read; LookupError when the value has no such part.
    """
    if not path.startswith("$"):
        raise ValueError(f"'{path}' does not begin with '$'")
    found, position = [value], 1
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            raise ValueError(f"'{path}' cannot be read from '{path[position:]}' on")
        position = match.end()
        found = [part for item in found for part in _parts(item, match, path)]
    return found


def _parts(value: Any, match: Any, path: str) -> list[Any]:
    name = match.group(1) if match.group(1) is not None else match.group(2)
    if name is not None:
        if not isinstance(value, dict) or name not in value:
            raise LookupError(f"there is no '{name}' where '{path}' expects one.")
        return [value[name]]
    if match.group(3) is not None:
        number = int(match.group(3))
        if not isinstance(value, list) or not -len(value) <= number < len(value):
            raise LookupError(f"there is no item {number} where '{path}' expects one.")
        return [value[number]]
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return value
    raise LookupError(f"there is no list where '{path}' expects one.")
