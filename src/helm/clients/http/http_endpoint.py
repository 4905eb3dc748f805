"""One provider's address and key: sends JSON, paces itself by the server's answers, and retries transient failures."""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from urllib.parse import urlsplit

from helm.clients.http.answer_errors import find_error
from helm.clients.http.http_connections import (
    BrokenExchange,
    ConnectError,
    ConnectionPool,
    ConnectTimeout,
    DeadlineExceeded,
    ReadTimeout,
    get_pool,
)
from helm.clients.http.request_failure import (
    RequestFailure,
    decoded,
    failure_from_response,
    shortened,
)
from helm.clients.pacing.limiter import Allowance, Limiter, LimiterStopped, ServerGone, Ticket, get_limiter
from helm.clients.protocols.openai_usage import read_usage
from helm.common.answer_limits import ANSWERS, AnswerTooLong
from helm.common.budgets.spending import get_ledger
from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import JSONLimitError, read_json
from helm.common.hierarchical_logger import hdebug, hwarn
from helm.common.request import AUTH, CANCELLED, MALFORMED, RATE_LIMITED, SERVER, TIMED_OUT
from helm.common.sending import Sent, current_first_try, only_try_s

TIMEOUT_VARIABLE = "HELM_REQUEST_TIMEOUT_S"
DEADLINE_VARIABLE = "HELM_REQUEST_DEADLINE_S"
RETRIES_VARIABLE = "HELM_RETRIES"
PATIENCE_VARIABLE = "HELM_SERVER_PATIENCE_S"

# Reasoning models may be silent for minutes before the first byte.
_DEFAULT_TIMEOUT_S = 300.0
# All tries and pauses of one request together: enough for several rate-limit windows, and a stuck request ends some time.
_DEFAULT_DEADLINE_S = 1800.0
# A reachable server accepts a connection within a few round trips, and even a lost packet is resent within seconds.
_CONNECT_TIMEOUT_S = 20.0
# Restarting a model server, with its weights to load, takes minutes.
_DEFAULT_PATIENCE_S = 600.0

EXCHANGE_ERRORS = (ConnectError, DeadlineExceeded, ReadTimeout, AnswerTooLong, BrokenExchange)
"""What a pool of connections raises when an exchange fails."""

Headers = Mapping[str, str] | Callable[[bool], Mapping[str, str]] | None
"""Headers in addition to those of the endpoint. A function is called for each try when it is sent, with whether the server
rejected the previous ones, because signatures and tokens expire while a request waits for its turn."""


@dataclass(frozen=True)
class RetryPolicy:
    """How to retry after one outcome. The first pause is `first_pause_s` with jitter; each later one is twice as long."""

    max_retries: int
    """The most retries of one request; 0 disables them."""

    first_pause_s: float

    max_pause_s: float = 60.0

    def pause_s(self, retry: int, draw: float) -> float:
        """Return the pause before retry number `retry` (from 1); `draw` is a random number in [0, 1).

        The pause is between half and all of the doubled pause, so that requests that failed together do not return together.
        """
        return min(self.first_pause_s * 2 ** (retry - 1), self.max_pause_s) * (0.5 + 0.5 * draw)


RETRY_POLICIES: dict[str, RetryPolicy] = {
    RATE_LIMITED: RetryPolicy(max_retries=30, first_pause_s=0.0),  # the limiter makes the pauses
    TIMED_OUT: RetryPolicy(max_retries=2, first_pause_s=2.0),
    MALFORMED: RetryPolicy(max_retries=2, first_pause_s=1.0),
    SERVER: RetryPolicy(max_retries=6, first_pause_s=1.0),
}
"""Outcomes that are not listed are not retried. `$HELM_RETRIES` limits all of them."""
# Timeouts and malformed answers each cost a whole answer and mostly happen again with the same request, so they are retried
# only twice. A server error is often a restart: six pauses of 1, 2, 4 ... s bridge about a minute.


def read_json_body(data: bytes, content_type: str) -> Any:
    """Decode a JSON body. Raises ValueError if it is not JSON."""
    return read_json(data)


class HTTPEndpoint:
    """Sends JSON to the routes of one server. All endpoints with equal address and key share a limiter.

    Args:
        base_url: the URL to which routes are appended, for example `http://localhost:8000/v1`.
        headers: headers of each request, which may contain the key.
        secret: the key, which is never shown; endpoints with different keys have different limiters.
        timeout_s: the longest silence of the server, in seconds; None means `$HELM_REQUEST_TIMEOUT_S`, or else 300.

    Raises:
        ConfigError: `base_url` is not a URL, or a setting is not a number.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str] | None = None,
        secret: str = "",
        timeout_s: float | None = None,
        only_outside: bool = False,
    ):
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"base_url must be like http://localhost:8000/v1, not '{base_url}'.")
        self.base_url = base_url.rstrip("/")
        self.public_url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")
        """The URL without user and password, for messages and cache keys."""
        self.timeout_s = _seconds(TIMEOUT_VARIABLE, timeout_s, _DEFAULT_TIMEOUT_S)
        self.deadline_s = _seconds(DEADLINE_VARIABLE, None, _DEFAULT_DEADLINE_S)
        self.patience_s = _seconds(PATIENCE_VARIABLE, None, _DEFAULT_PATIENCE_S)
        """How long to wait for a server that went away."""
        self.secret = secret
        self.limiter: Limiter = get_limiter(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", secret)
        self.limiter.note_timeout(self.timeout_s)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "helm-evals"}
        self._headers.update(headers or {})
        self._pool: ConnectionPool | None = None
        self._only_outside = only_outside
        self._origin_length = len(parts.scheme) + len("://") + len(parts.netloc)

    def url(self, route: str) -> str:
        return f"{self.base_url}/{route}" if route else self.base_url

    def _shown(self, url: str) -> str:
        return url.replace(self.base_url, self.public_url)

    def send(
        self,
        method: str,
        route: str,
        data: bytes | None = None,
        check: Callable[[Any], None] | None = None,
        headers: Headers = None,
        read: Callable[[bytes, str], Any] = read_json_body,
        is_retried: bool = True,
        is_paid: bool = True,
        max_bytes: int | None = None,
    ) -> Sent:
        """Send a request when its turn comes, with retries by `RETRY_POLICIES`.

        Waiting for an unreachable server does not count as a try.

        Args:
            check: raises RequestFailure if the decoded value is not a valid answer, which counts as a failed try.
            read: decodes an answer from its body and content type; raises ValueError if it cannot.
            is_retried: False allows a single try, for requests that must not be repeated.
            is_paid: False means that the request costs nothing, so an exhausted budget does not block it.
            max_bytes: the most bytes of the decoded answer; None uses the limit for all requests.

        Raises:
            RequestFailure: There is no valid answer after all tries.
            BudgetExceeded: The budget is used up.
            KeyboardInterrupt: Ctrl-C was pressed inside `drain_on_interrupt`.
        """
        url = self.url(route)
        first_try = current_first_try()
        first = first_try.take(url, data) if first_try is not None else None
        if isinstance(first, Sent):
            return first
        began = time.monotonic() if first is None or first_try is None else first_try.began
        deadline = began + self.deadline_s
        retries: dict[str, int] = {}
        renews = False
        while True:
            try:
                if first is not None:
                    failed, first = first, None
                    raise failed
                ticket, deadline = self._wait_for_turn(self._shown(url), deadline, is_paid)
                return self._send_once(ticket, method, url, data, check, headers, renews, read, deadline, max_bytes)
            except RequestFailure as failure:
                is_awaited = failure.is_unreachable and is_retried and _max_retries() > 0
                if is_awaited and self.limiter.is_waited_for:
                    continue
                self.limiter.note_failed_try(failure.outcome)
                if failure.outcome == AUTH and failure.status is not None and callable(headers) and not renews:
                    renews = True  # the token may have been revoked before it expired
                    continue
                if failure.stops_endpoint:
                    self.limiter.stop(failure)
                if not is_retried or is_awaited:
                    raise
                retry = retries[failure.outcome] = retries.get(failure.outcome, 0) + 1
                policy = RETRY_POLICIES.get(failure.outcome)
                if not failure.is_retriable or policy is None or retry > max_retries(failure.outcome):
                    raise
                pause_s = policy.pause_s(retry, random.random())
                if failure.retry_after_s is not None and failure.outcome != RATE_LIMITED:
                    pause_s = max(pause_s, failure.retry_after_s)
                elif failure.retry_after_s is not None:
                    pause_s = self.limiter.own_pause_s(failure.retry_after_s)
                if time.monotonic() + max(pause_s, failure.retry_after_s or pause_s) >= deadline:
                    failure.message += f" No more tries: that would be more than {self.deadline_s:g} s."
                    raise
                num_unsaid = None if failure.outcome == RATE_LIMITED else self.limiter.turn_to_warn()
                more = f" ({num_unsaid} more failures since the last such line.)" if num_unsaid else ""
                log = hdebug if num_unsaid is None else hwarn
                log(f"{failure.message} Trying again ({failure.outcome}, retry {retry}) in {pause_s:.1f} s.{more}")
                if pause_s:
                    with self.limiter.retrying():
                        sleep_until_stopped(pause_s)

    def _wait_for_turn(self, url: str, deadline: float, is_paid: bool) -> tuple[Ticket, float]:
        """Return a ticket and the deadline, extended by the time spent waiting for room in the budget.

        Raises:
            RequestFailure, BudgetExceeded, ConfigError, KeyboardInterrupt: The request cannot be sent.
        """
        while True:
            try:
                ticket = self.limiter.acquire(deadline, _check_budget if is_paid else lambda: None)
            except ServerGone as e:
                raise RequestFailure(SERVER, str(e), is_retriable=False) from e
            except LimiterStopped as e:
                if isinstance(e.reason, RequestFailure):
                    stopped = e.reason
                    raise RequestFailure(
                        stopped.outcome, f"{stopped.message} (Nothing more is sent there.)", status=stopped.status
                    ) from e
                raise RequestFailure(CANCELLED, f"{url}: {e}") from e
            if ticket is None:
                raise RequestFailure(
                    RATE_LIMITED,
                    f"{url}: the request could not be sent within {self.deadline_s:g} s.",
                    is_retriable=False,
                )
            try:
                has_room = not is_paid or get_ledger().take_room(is_sent=True)
            except BaseException:
                self.limiter.abandoned(ticket)
                raise
            if has_room:
                return ticket, deadline
            self.limiter.abandoned(ticket)
            began = time.monotonic()
            get_ledger().wait_for_room()
            deadline += time.monotonic() - began

    def _send_once(
        self,
        ticket: Ticket,
        method: str,
        url: str,
        data: bytes | None,
        check: Callable[[Any], None] | None,
        headers: Headers,
        renews: bool,
        read: Callable[[bytes, str], Any],
        deadline: float,
        max_bytes: int | None,
    ) -> Sent:
        value = None
        is_open = True
        answer_headers: Mapping[str, str] = {}
        try:
            further = headers(renews) if callable(headers) else headers
            all_headers = {**self._headers, **further} if further else self._headers
            with ANSWERS.place() as take:
                began_at, began = int(time.time()), time.perf_counter()
                status, answer_headers, answer = self._exchange(
                    method, url, data, all_headers, deadline, max_bytes, take
                )
                seconds = time.perf_counter() - began
                value = self.read_answer(url, status, answer_headers, answer, read)
                del answer
                if check is not None:
                    check(value)
            is_open = False
            self.limiter.accepted(ticket, num_tokens(value))
            self.tell(answer_headers)
            return Sent(value, began_at, seconds)
        except RequestFailure as failure:
            is_open = False
            get_ledger().note_failed_try(read_usage(value) if isinstance(value, dict) else None)
            self.note_failed_try(ticket, failure, answer_headers)
            raise
        finally:
            if is_open:
                self.limiter.abandoned(ticket)

    def note_failed_try(self, ticket: Ticket, failure: RequestFailure, headers: Mapping[str, str]) -> None:
        """Return the ticket of a try that failed; `headers` are those of the answer, if there was one."""
        if failure.outcome == RATE_LIMITED:
            self.limiter.rejected(ticket, failure.retry_after_s)
            if failure.status == 429:
                self.tell(headers)
        elif failure.is_unreachable and _max_retries() > 0:
            self.limiter.unreachable(ticket, failure.message, self.patience_s, _max_retries())
        elif failure.outcome == TIMED_OUT:
            self.limiter.timed_out(ticket)
        elif failure.outcome == SERVER:
            self.limiter.overloaded(ticket, failure.retry_after_s)
        else:
            self.limiter.accepted(ticket)

    def read_answer(
        self, url: str, status: int, headers: Mapping[str, str], data: bytes, read: Callable[[bytes, str], Any]
    ) -> Any:
        """Return the decoded value of an answer. Raises RequestFailure if it is an error, or cannot be decoded."""
        if not 200 <= status < 300:
            raise failure_from_response(self._shown(url), status, headers, data, self.secret)
        return self._read(self._shown(url), status, headers, data, read)

    def _read(
        self, url: str, status: int, headers: Mapping[str, str], data: bytes, read: Callable[[bytes, str], Any]
    ) -> Any:
        try:
            value = read(data, headers.get("Content-Type", ""))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as e:  # streamed events may have any shape
            quoted = shortened(decoded(data), self.secret) or "it is empty"
            what = f"cannot be read, for {e}" if isinstance(e, JSONLimitError) else "is not JSON"
            raise RequestFailure(MALFORMED, f"{url}: the answer {what}: {quoted}", status=status) from e
        error = find_error(value)
        if error is not None:
            told = json.dumps(error).encode("ascii")  # the body may be a stream
            raise failure_from_response(url, status, headers, told, self.secret)
        return value

    def _exchange(
        self,
        method: str,
        url: str,
        data: bytes | None,
        headers: Mapping[str, str],
        deadline: float,
        max_bytes: int | None,
        take: Callable[[int], None],
    ) -> tuple[int, Mapping[str, str], bytes]:
        only_s = only_try_s()
        timeout_s = self.timeout_s if only_s is None else min(only_s, self.timeout_s)
        connect_timeout_s = min(_CONNECT_TIMEOUT_S, timeout_s)
        try:
            return self.pool.exchange(
                method,
                self.target(url),
                headers,
                data,
                connect_timeout_s,
                timeout_s,
                max(0.1, deadline - time.monotonic()),
                max_bytes,
                take if max_bytes is None else None,
            )
        except EXCHANGE_ERRORS as e:
            raise self.failure_of(e, url, timeout_s) from e

    @property
    def connect_timeout_s(self) -> float:
        return min(_CONNECT_TIMEOUT_S, self.timeout_s)

    @property
    def pool(self) -> ConnectionPool:
        """The connections to this endpoint, made on first use."""
        if self._pool is None:
            self._pool = get_pool(self.base_url, self._only_outside)
        return self._pool

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of each request."""
        return self._headers

    def target(self, url: str) -> str:
        """Return path and query of an address below this endpoint's."""
        return url[self._origin_length :]

    def failure_of(self, error: Exception, url: str, timeout_s: float) -> RequestFailure:
        """Return the failure that one of EXCHANGE_ERRORS means for a request."""
        shown = self._shown(url)
        if isinstance(error, ConnectTimeout):
            seconds = min(_CONNECT_TIMEOUT_S, timeout_s)
            return RequestFailure(TIMED_OUT, f"{shown}: no connection within {seconds:g} s.")
        if isinstance(error, ConnectError):
            message = f"{shown}: cannot connect: {error}. Is the server running?"
            return RequestFailure(SERVER, message, is_unreachable=True)
        if isinstance(error, DeadlineExceeded):  # the server is not silent, but its answer does not end
            return RequestFailure(TIMED_OUT, f"{shown}: no complete answer within {self.deadline_s:g} s.")
        if isinstance(error, ReadTimeout):
            return RequestFailure(TIMED_OUT, f"{shown}: no answer within {timeout_s:g} s.")
        if isinstance(error, AnswerTooLong):
            return RequestFailure(MALFORMED, f"{shown}: {error}", is_retriable=False)
        cause = shortened(error, self.secret)
        return RequestFailure(SERVER, f"{shown}: the connection broke off: {cause}")

    def tell(self, headers: Mapping[str, str]) -> None:
        """Tell the limiter what the headers of an answer say of what is left."""
        for kind, allowance in allowances(headers).items():
            self.limiter.told(kind, allowance)

    def failure(self, outcome: str, route: str, cause: str) -> RequestFailure:
        """Return a failure found by the client itself; its message is `URL: cause`."""
        return RequestFailure(
            outcome, f"{self.public_url}{'/' if route else ''}{route}: {shortened(cause, self.secret)}"
        )


def _seconds(variable: str, value: float | None, default: float) -> float:
    if value is None:
        text = os.environ.get(variable) or str(default)
        try:
            value = float(text)
        except ValueError as e:
            raise ConfigError(f"{variable} takes a number of seconds, not '{text}'.") from e
    if not 0 < value < float("inf"):
        raise ConfigError(f"The time of a request must be a positive number of seconds, not {value}.")
    return value


def max_retries(outcome: str) -> int:
    """Return how often a request with this outcome is retried. Raises ConfigError if `$HELM_RETRIES` is not a number."""
    policy = RETRY_POLICIES.get(outcome)
    return 0 if policy is None else min(policy.max_retries, _max_retries())


def _max_retries() -> int:
    if only_try_s() is not None:
        return 0
    text = os.environ.get(RETRIES_VARIABLE, "")
    if not text:
        return sys.maxsize  # no limit beyond the policies'
    if not text.isdigit():
        raise ConfigError(f"{RETRIES_VARIABLE} takes a whole number of retries, 0 or more, not '{text}'.")
    return int(text)


def num_tokens(value: Any) -> int | None:
    """Return how many tokens the server has counted for a request, if its answer says so."""
    usage = value.get("usage") if isinstance(value, dict) else None
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) else None


_ALLOWANCE_PREFIXES = ("x-ratelimit-{part}-{kind}", "anthropic-ratelimit-{kind}-{part}", "ratelimit-{part}")


def allowances(headers: Mapping[str, str]) -> dict[str, Allowance]:
    """Return the allowances of `requests` and `tokens` that the headers of an answer report."""
    found: dict[str, Allowance] = {}
    lower = {name.lower(): value for name, value in headers.items() if "ratelimit" in name.lower()}
    if not lower:
        return found
    for kind in ("requests", "tokens"):
        for prefix in _ALLOWANCE_PREFIXES:
            if kind == "tokens" and "{kind}" not in prefix:
                continue
            texts = [lower.get(prefix.format(kind=kind, part=part)) for part in ("limit", "remaining", "reset")]
            try:
                limit, remaining = float(texts[0] or ""), float(texts[1] or "")
                reset_s = _duration_s(texts[2] or "")
            except ValueError:
                continue
            found[kind] = Allowance(limit, remaining, reset_s)
            break
    return found


def _duration_s(text: str) -> float:
    """Read `12`, `1.5s`, `6m0s`, `20ms`, or a timestamp as Anthropic sends it. Raises ValueError for anything else."""
    import re
    from datetime import datetime

    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|h|m|s)", text)
    if parts and "".join(number + unit for number, unit in parts) == text:
        return sum(float(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit] for number, unit in parts)
    if "T" in text:
        return max(0.0, (datetime.fromisoformat(text) - datetime.now(UTC)).total_seconds())
    return float(text)


def _check_budget() -> None:
    """Raise BudgetExceeded if no more may be sent, so that no request waits for a server in vain."""
    ledger = get_ledger()
    ledger.check_time()
    ledger.check_used_up()
