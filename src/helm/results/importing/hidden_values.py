"""Removes keys and passwords from what a log says about itself, because run folders are shared."""

import re
from typing import Any

HIDDEN = "***"

_NAMES = re.compile(
    r"(?i)(?:.*(?:api|access|secret|private|auth|openai|anthropic|subscription)[_-]?key|key|(?:.*(?:hf|auth|access|api|bearer|refresh|"
    r"session|id|hub)[_-])?token|.*(?:secret|password|passwd|credential|cookie).*|.*authorization|(?:.*[_-])?headers)"
)
_VALUES = re.compile(
    r"(?:(?<![A-Za-z0-9])(?:sk|pk|rk|hf|gh[pousr]|xox[abprs]|r8|gsk|xai)[-_][A-Za-z0-9_-]{16,}|AKIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}"
    r"|(?<=[Bb]earer )\S{8,}|(?<=://)[^/@\s]{1,500}:[^/@\s]{1,500}(?=@)|(?<=[?&]key=)[^&\s]+|(?<=api_key=)[^&,\s]+|"
    r"(?<=token=)[^&,\s]+)"
)


def without_keys(value: Any) -> Any:
    """Return a JSON value in which what looks like a key or a password, by its name or its form, is `***`."""
    if isinstance(value, dict):
        return {
            key: HIDDEN if _NAMES.fullmatch(str(key)) and _may_be_key(item) else without_keys(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [without_keys(item) for item in value]
    if isinstance(value, str):
        return _VALUES.sub(HIDDEN, value)
    return value


def _may_be_key(value: Any) -> bool:
    return isinstance(value, (str, dict, list)) and bool(value)
