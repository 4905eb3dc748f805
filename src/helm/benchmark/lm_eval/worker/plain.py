"""Values as JSON and back: what crosses the border of a sandbox is plain."""

import base64
import datetime
import math
from typing import Any

_TAG = "!value"


def to_plain(value: Any) -> Any:
    """Return the value in plain types. Raises: TypeError for anything that is more than data."""
    if value is None or isinstance(value, (str, bool, int)):
        return value if type(value) in _PLAIN else _base(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {_TAG: "float", "is": repr(float(value))}
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return [to_plain(item) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return {_TAG: "bytes", "is": base64.b64encode(value).decode("ascii")}
    if isinstance(value, (datetime.date, datetime.time)):
        return {_TAG: type(value).__name__, "is": value.isoformat()}
    if hasattr(value, "tolist"):  # of numpy
        return to_plain(value.tolist())
    raise TypeError(f"a {type(value).__name__} is no plain value")


def from_plain(value: Any) -> Any:
    """Return the value that `to_plain` was given; tuples and sets are lists."""
    if isinstance(value, list):
        return [from_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _TAG not in value:
        return {key: from_plain(item) for key, item in value.items()}
    kind, text = value[_TAG], value["is"]
    if kind == "float":
        return float(text)
    if kind == "bytes":
        return base64.b64decode(text)
    if kind == "datetime":
        return datetime.datetime.fromisoformat(text)
    return datetime.date.fromisoformat(text) if kind == "date" else datetime.time.fromisoformat(text)


_PLAIN = (str, bool, int, type(None))


def _base(value: Any) -> Any:
    return str(value) if isinstance(value, str) else int(value)
