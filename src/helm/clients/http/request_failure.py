"""Classifies failed requests as one of `helm.common.request.OUTCOMES`, by status and error message."""

import re
from collections.abc import Mapping
from typing import Any

from helm.common.formats.json_reading import read_json
from helm.common.request import (
    AUTH,
    FILTERED,
    MALFORMED,
    RATE_LIMITED,
    REFUSED,
    SERVER,
    TIMED_OUT,
    ErrorFlags,
    RequestResult,
)

_RETRIABLE = frozenset((RATE_LIMITED, TIMED_OUT, MALFORMED, SERVER))
# Servers may answer with whole pages, and messages go into logs and result files.
_MAX_QUOTED_CHARACTERS = 300

# Words of the providers' error codes, types and messages, in lower case. The first match decides.
_FILTER_CODES = (
    "content_filter",
    "content_policy",
    "content-policy",
    "content.moderation",
    "content_moderation",
    "moderation_blocked",
    "responsibleaipolicyviolation",
    "safety",
)
_KEY_CODES = ("api_key", "unrecognizedclient", "invalidsignature", "expiredtoken", "bxnim0")
_KEY_TEXTS = (
    "api key not valid",
    "invalid api key",
    "incorrect api key",
    "security token included in the request is",
)
_FILTER_TEXTS = (
    "content management policy",
    "content policy",
    "content filter",
    "usage policies",
    "flagged as potentially",
    "nsfw content",
    "our safety system",
)
_NO_CREDIT_CODES = ("insufficient_quota", "billing", "credit")
_NO_CREDIT_TEXTS = (
    "exceeded your current quota",
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
)
_NOT_SUPPORTED = ("support", "not allowed", "not permitted", "unrecognized", "unknown", "unexpected")
_TYPES: dict[str, str] = {
    "authentication": AUTH,
    "invalid_api_key": AUTH,
    "unauthenticated": AUTH,
    "permission": AUTH,
    "rate_limit": RATE_LIMITED,
    "too_many_requests": RATE_LIMITED,
    "resource_exhausted": RATE_LIMITED,
    "throttl": RATE_LIMITED,
    "servicequota": RATE_LIMITED,
    "overloaded": SERVER,
    "unavailable": SERVER,
    "internal": SERVER,
    "server_error": SERVER,
    "api_error": SERVER,
    "timeout": TIMED_OUT,
    "deadline_exceeded": TIMED_OUT,
    "invalid": REFUSED,
    "not_found": REFUSED,
    "context_length": REFUSED,
}


class RequestFailure(Exception):
    """A request that got no valid answer.

    Args:
        outcome: one of `OUTCOMES`.
        message: the address and the cause, without any key.
        status: the HTTP status, if there was one.
        retry_after_s: the pause that the server asks for.
        is_retriable: whether the request is worth another try; None decides by the outcome.
        stops_endpoint: whether every other request to the endpoint would fail in the same way.
        is_unreachable: whether no server accepted the connection, so that nothing was sent.
    """

    def __init__(
        self,
        outcome: str,
        message: str,
        status: int | None = None,
        retry_after_s: float | None = None,
        is_retriable: bool | None = None,
        stops_endpoint: bool = False,
        is_unreachable: bool = False,
    ):
        super().__init__(message)
        self.outcome = outcome
        self.message = message
        self.status = status
        self.retry_after_s = retry_after_s
        self.is_retriable = outcome in _RETRIABLE if is_retriable is None else is_retriable
        self.stops_endpoint = stops_endpoint
        self.is_unreachable = is_unreachable

    @property
    def is_missing_route(self) -> bool:
        """Whether the server does not know the URL; a server that does not know the model mentions it."""
        said = self.message.partition("HTTP status")[2].lower()
        return self.status in (405, 501) or (self.status == 404 and "model" not in said)

    @property
    def is_about_stop(self) -> bool:
        """Whether the model does not support stop sequences, like many reasoning models."""
        said = self.message.partition("HTTP status")[2].lower()
        is_named = re.search(r"\bstop(_sequences|sequences)?\b", said) is not None
        return self.outcome == REFUSED and is_named and any(word in said for word in _NOT_SUPPORTED)

    def as_result(self) -> RequestResult:
        """Return the failure as a client's result. All failures are fatal to a run except those of content filters."""
        return RequestResult(
            success=False,
            cached=False,
            completions=[],
            embedding=[],
            error=self.message,
            error_flags=ErrorFlags(is_retriable=self.is_retriable, is_fatal=self.outcome != FILTERED),
            outcome=self.outcome,
        )


def failure_from_response(
    url: str, status: int, headers: Mapping[str, str], data: bytes, secret: str
) -> RequestFailure:
    """Return the failure for a response with a status other than 2xx, or with an error object and status 200."""
    said = said_by(data, headers.get("x-amzn-errortype") or "")
    detail = f"HTTP status {status}. {shortened(said.text, secret)}".rstrip()
    if 300 <= status < 400 and headers.get("Location"):
        detail += f" The address may be {shortened(headers['Location'], secret)}."
    outcome = _outcome(status, said)
    return RequestFailure(
        outcome,
        f"{url}: {detail}",
        status=status,
        retry_after_s=retry_after_s(headers) if said.retry_after_s is None else said.retry_after_s,
        stops_endpoint=outcome == AUTH and (status in (401, 402, 407) or said.is_about_credit or said.is_about_key),
    )


def _outcome(status: int, said: "Said") -> str:
    if said.is_about_filter and status < 500:
        return FILTERED
    if status in (401, 402, 403, 407) or said.is_about_credit or (status == 400 and said.is_about_key):
        return AUTH
    if status == 429:
        return RATE_LIMITED
    if status in (408, 504, 524):
        return TIMED_OUT
    if status >= 500 or status in (409, 425):
        return SERVER
    if status >= 300:
        return REFUSED
    return said.outcome or MALFORMED


class Said:
    """A server's description of an error, independent of its API's dialect."""

    def __init__(self, text: str, code: str, retry_after_s: float | None = None):
        self.text = text
        self.retry_after_s = retry_after_s
        """The requested pause in the body, where Google puts it instead of a header."""
        lower = text.lower()
        self._code = code.lower()
        self.is_about_filter = any(word in self._code for word in _FILTER_CODES) or any(
            word in lower for word in _FILTER_TEXTS
        )
        # Google reports an exceeded quota when it means the requests of this minute.
        self.is_about_credit = "resource_exhausted" not in self._code and (
            any(word in self._code for word in _NO_CREDIT_CODES) or any(word in lower for word in _NO_CREDIT_TEXTS)
        )
        self.is_about_key = any(word in self._code for word in _KEY_CODES) or any(word in lower for word in _KEY_TEXTS)

    @property
    def outcome(self) -> str | None:
        """The outcome by the error code; None if the code is unknown."""
        if self._code.isdigit() and 400 <= int(self._code) < 600:
            return _outcome(int(self._code), Said(self.text, ""))
        return next((outcome for name, outcome in _TYPES.items() if name in self._code), None)


def _text_of(data: bytes) -> str:
    """Return a body that is not JSON as text; of a web page only its title."""
    text = decoded(data)
    if not text.lstrip().startswith("<"):
        return text
    from helm.common.data.http_transfer import describe_page

    return describe_page(text) or text


def said_by(data: bytes, further_code: str = "") -> Said:
    """Read an error from JSON below `error`, `errors`, `message` or `detail`, or from anything else as text."""
    try:
        body = read_json(data)
    except ValueError:
        return Said(_text_of(data), further_code)
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return Said(decoded(data), further_code)
    error = body.get("error")
    if error is None and isinstance(body.get("errors"), list) and body["errors"]:
        error = body["errors"][0]
    if isinstance(error, dict):
        codes = [error.get(key) for key in ("code", "type", "status", "key")]
        inner = error.get("innererror")
        if isinstance(inner, dict):
            codes.append(inner.get("code"))
        details = error.get("details")
    else:
        codes = [body.get(key) for key in ("code", "type", "status", "error_type", "errorCode", "__type")]
        found = body.get("detail")
        codes += [part.get("type") for part in (found if isinstance(found, list) else []) if isinstance(part, dict)]
        details = None
    codes.append(further_code or None)
    code = " ".join(str(code) for code in codes if isinstance(code, (str, int)))
    numbers = [str(code) for code in codes if isinstance(code, int)]
    if numbers and len(code) == len(numbers[0]):
        code = numbers[0]
    texts = [error.get("message"), error.get("description")] if isinstance(error, dict) else [error]
    texts += [body.get(key) for key in ("message", "detail", "errorMessage")]
    if isinstance(body.get("error_description"), str):
        texts.insert(0, f"{error}: {body['error_description']}")
    text = next((text for text in texts if isinstance(text, str) and text), None) or decoded(data)
    return Said(text, code, _retry_delay_s(details))


def _retry_delay_s(details: Any) -> float | None:
    """Read the pause from Google's `RetryInfo`, `{"retryDelay": "37s"}`."""
    for detail in details if isinstance(details, list) else []:
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str):
            try:
                return max(0.0, float(delay.removesuffix("s")))
            except ValueError:
                continue
    return None


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Return the pause that the server asks for, in seconds or as a date; None if it asks for none."""
    for name, per_second in (("retry-after-ms", 1000.0), ("Retry-After", 1.0)):
        text = headers.get(name)
        if not text:
            continue
        try:
            return max(0.0, float(text) / per_second)
        except ValueError:
            return _seconds_until(text)
    return None


def _seconds_until(date: str) -> float | None:
    import time
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except ValueError:
        return None


def decoded(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def shortened(text: Any, secret: str = "") -> str:
    """Prepare a text for quoting: one line, not too long, and without the key, which some servers repeat."""
    text = " ".join(str(text).split())
    if secret:
        text = text.replace(secret, "***")
    return text if len(text) <= _MAX_QUOTED_CHARACTERS else text[:_MAX_QUOTED_CHARACTERS] + "..."
