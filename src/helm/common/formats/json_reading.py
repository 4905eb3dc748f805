"""JSON of strangers: what is nested without end is refused like any other text that cannot be read."""

import json
from typing import Any

MAX_DEPTH = 200
"""Lists and objects inside one another. Answers of models, tools and services have a dozen at most."""


MAX_PARTS = 2_000_000
"""Lists and objects all together. Three characters make a list of 60 bytes, so short texts could fill the memory."""


class JSONLimitError(ValueError):
    """It may be JSON, but is nested too deeply or has too many parts."""


def read_json(text: str | bytes | bytearray) -> Any:
    """What `json.loads` gives.

    Raises: ValueError for what is no JSON; JSONLimitError for what is nested deeper than `MAX_DEPTH` (else the parser raises
        RecursionError, or everything that handles the value afterwards does), or has more than `MAX_PARTS` lists and objects.
    """
    if _num_brackets(text) > MAX_PARTS:
        raise JSONLimitError(f"it has more than {MAX_PARTS:,} lists and objects")
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep() from None
    check_depth(value, text)
    return value


def check_depth(value: Any, text: str | bytes | bytearray, limit: int = MAX_DEPTH) -> None:
    """Raises: JSONLimitError when a value that was read from a text is nested deeper than `limit`."""
    if _num_brackets(text) > limit and _is_deeper(value, limit):
        raise _too_deep(limit)


def _num_brackets(text: str | bytes | bytearray) -> int:
    """At least as many as there are lists and objects."""
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")


def _is_deeper(value: Any, limit: int) -> bool:
    """Looks at one level after the other, so that no depth is too much for this function itself."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def _too_deep(limit: int = MAX_DEPTH) -> JSONLimitError:
    return JSONLimitError(f"it is nested more than {limit} levels deep")
