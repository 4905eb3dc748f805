"""Detects errors inside answers: the status is 200, perhaps with a text, but the model did not run, or not to the end.

Gateways send such answers when the server behind them dies. The error is next to the answer, in one of its choices, or only
visible in the finish reason.
"""

from collections.abc import Mapping
from typing import Any

_PARTS = frozenset(("choices", "candidates", "completions", "generations", "predictions", "responses", "results"))
"""The providers' names of the list of completions."""
_REASONS = ("finish_reason", "finishReason", "stop_reason", "stopReason")
_TELLING = frozenset(("error", *_REASONS))
_ERROR_NAMES = frozenset(("error", "errors", "type", "object"))
_BAD_REASONS = {
    "error": "server_error",
    "failed": "server_error",
    "abort": "server_error",
    "aborted": "server_error",
    "cancelled": "server_error",
    "canceled": "server_error",
    "user_cancel": "server_error",
    "timeout": "timeout",
}
"""Finish reasons (in lower case) of completions that were aborted, with the equivalent error code."""


def find_error(answer: Any) -> Mapping[str, Any] | None:
    """Return the error in a provider's answer as an object for `failure_from_response`, or None if there is none.

    `"error": null`, `""`, `{}` and an object that has only empty values mean that there is no error.
    """
    if not isinstance(answer, dict):
        return None
    if not _ERROR_NAMES.isdisjoint(answer):
        errors = answer.get("errors")
        is_error = answer.get("type") == "error" or answer.get("object") == "error"
        if is_error or _says_something(answer.get("error")) or (isinstance(errors, list) and _says_something(errors)):
            return answer
    for part in _parts(answer):
        if _TELLING.isdisjoint(part):
            continue
        if "error" in part and _says_something(part["error"]):
            return {"error": part["error"]}
        for name in _REASONS:
            reason = part.get(name)
            if reason is None or reason == "stop":
                continue
            reason = reason.get("reason") if isinstance(reason, dict) else reason  # AI21's
            code = _BAD_REASONS.get(reason.lower()) if isinstance(reason, str) else None
            if code is not None:
                return _error(code, f"the answer was not finished: its {name} is '{reason}'")
    return None


def _parts(answer: dict[str, Any]) -> list[dict[str, Any]]:
    found = [answer]
    for name, parts in answer.items():
        if name in _PARTS and isinstance(parts, list):
            found += [part for part in parts if isinstance(part, dict)]
    return found


def _says_something(error: Any) -> bool:
    if isinstance(error, dict):
        return any(_says_something(value) for value in error.values())
    if isinstance(error, list):
        return any(_says_something(value) for value in error)
    return bool(error)


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}
