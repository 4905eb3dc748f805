"""Reads untrusted JSON: excessively nested values are refused like any other invalid text."""

import json
from typing import Any

MAX_DEPTH = 200
"""The deepest nesting of lists and objects. Answers of models, tools and services have a dozen levels at most."""


MAX_PARTS = 2_000_000
"""The most lists and objects. Three characters make a list of 60 bytes, so that short texts could fill the memory."""


class JSONLimitError(ValueError):
    """A text may be JSON, but is nested too deeply or has too many parts."""


def read_json(text: str | bytes | bytearray) -> Any:
    """Decode JSON like `json.loads`, within limits.

    Raises:
        ValueError: The text is not JSON.
        JSONLimitError: It is nested deeper than `MAX_DEPTH`, so that the parser, or code that handles the value, could exceed
            the recursion limit; or it has more than `MAX_PARTS` lists and objects.
    """
    num_brackets = _num_brackets(text)
    if num_brackets > MAX_PARTS:
        raise JSONLimitError(f"it has more than {MAX_PARTS:,} lists and objects")
    import msgspec

    try:
        value = msgspec.json.decode(text)
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, UnicodeError):  # NaN, infinities and half characters, which Python writes; or no JSON
        value = _loads(text)
    if num_brackets > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise _too_deep()
    return value


def _loads(text: str | bytes | bytearray) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise _too_deep() from None


def check_depth(value: Any, text: str | bytes | bytearray, limit: int = MAX_DEPTH) -> None:
    """Raise JSONLimitError if a value that was read from a text is nested deeper than `limit`."""
    if _num_brackets(text) > limit and _is_deeper(value, limit):
        raise _too_deep(limit)


def _num_brackets(text: str | bytes | bytearray) -> int:
    """Return an upper bound of the number of lists and objects."""
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")


def _is_deeper(value: Any, limit: int) -> bool:
    """Check level by level, so that this function itself does not recurse."""
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
