"""Sends many ordinary requests of a run from one thread.

A request alone costs as much in locks, look-ups and switches between threads as in the exchange itself. A lane does what many
requests have in common once for all that are at hand: look into the cache, take tickets, wait for answers, write what came.

It knows the ordinary case alone. What is not ordinary (a failed try, an answer that takes another request, a key that somebody
else is asking for) goes on in the usual way, in a thread of its own, from where the lane has left it; so all rules for it are
in one place.
"""

import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

from helm.clients.http.http_client import Answer, Call, HTTPClient, combine, encoded, stopped_while_thinking
from helm.clients.http.http_endpoint import EXCHANGE_ERRORS, num_tokens
from helm.clients.http.http_transfers import Transfer, Transfers
from helm.clients.http.in_flight import begin_all, end_all, is_repeatable
from helm.clients.http.request_failure import RequestFailure
from helm.clients.pacing.limiter import Ticket
from helm.clients.protocols.openai_usage import read_usage
from helm.common.budgets.spending import get_ledger
from helm.common.cache import request_to_key
from helm.common.caching.entry_texts import encode_value
from helm.common.codec import quote
from helm.common.lane_work import LaneWork
from helm.common.request import Request, RequestResult
from helm.common.sending import FirstTry, Sent

_AT_ONCE = 32
"""The most requests that are looked up together; those that are missing hold their claims until they are sent."""

_FEWEST = 16
"""As many may be in flight however fast the answers come, so that there are several to work on at once."""

_MOST_ELSEWHERE = 256
"""The most requests that go on in threads of their own."""

_WAIT_S, _SHORT_WAIT_S = 0.25, 0.02
"""How long to wait for answers, and for what other threads do."""

_PATIENCE_S = 1.0
"""How long a request waits here for a ticket when none is in flight; then its own thread does, with a deadline and advice."""

_STEPS = ("make_request", "_complete", "_collect", "_ask", "_ask_minding_stop", "_without_stop", "_exchange", "_send")
"""Methods of a client that together do what `ordinary_call` and a lane do instead."""


_MAKERS = (
    *_STEPS,
    "ordinary_call",
    "_build",
    "_call",
    "_raw_request",
    "_cache_key",
    "make_cache_key",
    "_body",
    "_read",
)
"""Methods that decide what bodies and cache keys look like, and how answers are read."""


class _Planned:
    """A request with what is to be sent for it."""

    __slots__ = ("call", "data", "item", "key", "older_key", "once")

    def __init__(self, item: Any, call: Call, key: str, older_key: str | None):
        self.item, self.call, self.key, self.older_key = item, call, key, older_key
        self.once: tuple[Any, str] | None = None
        """Its key among the requests in flight, if equal ones share an answer."""
        self.data = b""
        """The body; empty until it is made."""


class _Template:
    """Makes the calls of requests that differ only in their prompts.

    Args:
        call: of a request with the prompt `mark`.
        key, data: its cache key and its body; `older_key` if there is one.
        like: all fields of the request but for the prompt.

    Raises: ValueError if the prompt is not exactly once in each of them.
    """

    def __init__(self, like: dict[str, Any], mark: str, call: Call, key: str, older_key: str | None, data: bytes):
        self.like, self._call = like, call
        quoted = quote(mark)
        self._key_begin, self._key_end = key.split(quoted)
        self._older = older_key.split(quoted) if older_key is not None else None
        if self._older is not None and len(self._older) != 2:
            raise ValueError(mark)
        self._data_begin, self._data_end = data.split(_text_encoder()(mark))

    def plan(self, item: Any, prompt: str) -> _Planned:
        """Return what to send for a prompt. Raises ValueError if it has half characters, which are written in another way."""
        data = self._data_begin + _text_encoder()(prompt) + self._data_end
        quoted = quote(prompt)
        older = None if self._older is None else quoted.join(self._older)
        plan = _Planned(item, self._call, self._key_begin + quoted + self._key_end, older)
        plan.data = data
        return plan


@cache
def _text_encoder() -> Callable[[str], bytes]:
    import msgspec

    return msgspec.json.Encoder().encode


def lane_for(client: Any, deployment: str, request: Request, most: int) -> "RequestLane | None":
    """Return a lane for requests like this one; None if they must go the usual way.

    Args:
        client: of the deployment.
        most: the most requests in flight.
    """
    if not isinstance(client, HTTPClient) or client.missing_key is not None or client.cache is None:
        return None
    if not client.cache.can_reserve or not _says_last(type(client), "ordinary_call", _STEPS):
        return None
    lane = RequestLane(client, deployment, most)
    return lane if lane.plan(None, request) is not None else None


def _says_last(client_class: type, name: str, methods: Sequence[str]) -> bool:
    """Return whether no class behind the one that has a name defines any of the methods anew."""
    classes = client_class.__mro__
    declares = next(number for number, one in enumerate(classes) if name in vars(one))
    return not any(method in vars(one) for one in classes[:declares] for method in methods)


class RequestLane:
    """Sends the ordinary requests of one run to one deployment. Used by one thread.

    Args:
        client: of the deployment.
        deployment: the name that the requests have.
        most: the most requests in flight.
    """

    def __init__(self, client: HTTPClient, deployment: str, most: int):
        self._client, self._deployment, self._most = client, deployment, most
        self._endpoint = client.endpoint
        self._limiter = client.endpoint.limiter
        self._ready: deque[_Planned] = deque()
        self._is_over = False
        self._starves_since: float | None = None
        self._headers: Mapping[str, str] | None = None
        self._lines: list[str] = []
        self._has_templates = _says_last(type(client), "PROMPT_STANDS_ALONE", _MAKERS) and client.PROMPT_STANDS_ALONE
        # The letter is written differently by the slower way of `encoded`, which some bodies need.
        self._mark = f"prompt é {secrets.token_hex(16)}"
        self._template: _Template | None = None
        """Of the last requests. What calls look like may depend on what the client has learned, so it is made anew often."""

    def run(self, work: LaneWork) -> None:
        """Send all requests of the work. When it stops, those in flight are finished."""
        self._work, self._is_over = work, False
        pool = self._endpoint.pool
        try:
            self._transfers = pool.idle_transfers.pop()
        except IndexError:
            self._transfers = Transfers(pool)
        is_well = False
        try:
            while True:
                has_moved = self._finish_ended()
                has_moved = self._feed() or has_moved
                if self._is_over and not self._transfers and not self._ready:
                    break
                if not has_moved:
                    self._wait()
            is_well = True
        finally:
            self._limiter.note_ready(self, 0)
            if is_well:
                pool.idle_transfers.append(self._transfers)
            else:
                self._abandon()

    # --- what is sent -------------------------------------------------------------------------------------------------

    def plan(self, item: Any, request: Request) -> _Planned | None:
        """Return what to send for a request; None if it is not an ordinary one."""
        if self._template is not None:
            fields = {**vars(request), "prompt": ""}
            if fields == self._template.like:
                with suppress(ValueError):
                    return self._template.plan(item, request.prompt)
        if request.model_deployment != self._deployment or not _is_ordinary(request):
            return None
        call = self._ordinary_call(request)
        if call is None:
            return None
        if self._has_templates and not request.messages:
            self._template = self._create_template(request)
        return _Planned(item, call, request_to_key(call.key), self._older_key(call))

    def _ordinary_call(self, request: Request) -> Call | None:
        try:
            call = self._client.ordinary_call(request)
        except RequestFailure:  # found again, and told, in the usual way
            return None
        return None if call is None or callable(call.body) or callable(call.headers) else call

    def _older_key(self, call: Call) -> str | None:
        if not self._client.reads_keys_without_address or "base_url" not in call.key:
            return None
        return request_to_key({name: value for name, value in call.key.items() if name != "base_url"})

    def _create_template(self, request: Request) -> _Template | None:
        """Return what makes the calls of requests like this one; None if it cannot be made."""
        marked = replace(request, prompt=self._mark)
        call = self._ordinary_call(marked)
        if call is None:
            return None
        try:
            key, older_key, data = request_to_key(call.key), self._older_key(call), encoded(self._client.body_of(call))
            return _Template({**vars(request), "prompt": ""}, self._mark, call, key, older_key, data)
        except ValueError:
            return None

    def _feed(self) -> bool:
        """Begin what can be begun; return whether that was anything."""
        if self._work.is_stopping and not self._is_over:
            self._is_over = True
            self._drop(list(self._ready))
            self._ready.clear()
        if self._ready:
            return self._start()
        room = self._width() - len(self._transfers)
        if self._is_over or room <= 0 or self._work.num_elsewhere >= _MOST_ELSEWHERE:
            return False
        items = self._work.take(min(room, _AT_ONCE))
        if not items:
            self._is_over = True
            return False
        self._prepare(items)
        if self._ready:
            self._start()
        return True

    def _width(self) -> int:
        return min(self._most, max(_FEWEST, self._limiter.useful_window))

    def _prepare(self, items: list[tuple[Any, Request]]) -> None:
        """Answer requests from the cache, and get those ready that are missing there."""
        planned: list[_Planned] = []
        self._template = None
        for item, request in items:
            plan = self.plan(item, request)
            if plan is None:
                self._work.hand_over(item, None)
            else:
                planned.append(plan)
        try:
            get_ledger().check_time()
            found = self._client.cache.reserve(
                [plan.key for plan in planned], [plan.older_key for plan in planned], self._client.is_answer
            )
        except Exception:  # it comes again, and is told, in the usual way
            self._hand_over(planned)
            return
        answered: list[tuple[Any, RequestResult]] = []
        missing: list[_Planned] = []
        for plan, response in zip(planned, found, strict=True):
            if response is None:
                missing.append(plan)
                continue
            result = self._result(plan, response, True) if isinstance(response, dict) else None
            if result is None:
                self._work.hand_over(plan.item, None)
            else:
                answered.append((plan.item, result))
        if missing:
            self._begin_once(missing)
        if answered:
            self._finish(answered)

    def _begin_once(self, missing: list[_Planned]) -> None:
        """Get requests ready, but for those that equal one in flight."""
        is_kept = self._client.cache.is_enabled
        identity = self._client.identity
        for plan in missing:
            if is_kept or is_repeatable(plan.call.key):
                plan.once = (identity, plan.key)
        begun = begin_all([plan.once for plan in missing if plan.once is not None])
        others = []
        for plan in missing:
            if plan.once is None or next(begun):
                self._ready.append(plan)
            else:
                plan.once = None  # it is somebody else's
                others.append(plan)
        self._drop(others)
        self._hand_over(others)

    def _start(self) -> bool:
        """Send what is ready as far as there are tickets; return whether anything was sent."""
        ready, endpoint = self._ready, self._endpoint
        try:
            tickets = self._limiter.acquire_some(min(len(ready), self._width() - len(self._transfers)))
        except Exception:  # nothing is sent there any more, which is told in the usual way
            plans = list(ready)
            ready.clear()
            self._drop(plans)
            self._hand_over(plans)
            return True
        if not tickets:
            return self._starve()
        self._starves_since = None
        for ticket in tickets:
            plan = ready.popleft()
            call = plan.call
            try:
                plan.data = data = plan.data or encoded(self._client.body_of(call))
                headers = self._client.headers_of(call, data, self._work.place_of(plan.item))
                self._transfers.begin(
                    (plan, ticket),
                    endpoint.target(endpoint.url(call.route)),
                    self._lines_of(headers),
                    data,
                    endpoint.connect_timeout_s,
                    endpoint.timeout_s,
                    endpoint.deadline_s,
                )
            except Exception:
                self._limiter.abandoned(ticket)
                self._drop([plan])
                self._work.hand_over(plan.item, None)
        return True

    def _lines_of(self, headers: Mapping[str, str] | None) -> list[str]:
        if headers:
            return self._endpoint.pool.lines({**self._endpoint.headers, **headers})
        if self._headers is not self._endpoint.headers:
            self._headers = self._endpoint.headers
            self._lines = self._endpoint.pool.lines(self._headers)
        return self._lines

    def _starve(self) -> bool:
        """Let one request wait elsewhere if there have been no tickets for long, though none is in flight."""
        if self._transfers:
            self._starves_since = None
            return False
        now = time.monotonic()
        self._starves_since = self._starves_since or now
        if now - self._starves_since < _PATIENCE_S or self._work.num_elsewhere:
            return False
        self._starves_since = None
        plan = self._ready.popleft()
        self._drop([plan])
        self._work.hand_over(plan.item, None)
        return True

    def _wait(self) -> None:
        self._limiter.note_ready(self, len(self._ready))
        seconds = _WAIT_S
        if self._work.num_elsewhere:
            seconds = _SHORT_WAIT_S
        if self._ready:
            ready_in_s = self._limiter.ready_in_s()
            seconds = min(seconds, _SHORT_WAIT_S if ready_in_s is None else max(0.001, ready_in_s))
        self._transfers.wait(seconds)

    # --- what comes back ----------------------------------------------------------------------------------------------

    def _finish_ended(self) -> bool:
        """Work on the exchanges that have ended; return whether there were any."""
        ended = self._transfers.ended()
        if not ended:
            return False
        accepted: list[tuple[Ticket, int | None]] = []
        read: list[tuple[_Planned, Sent, float]] = []
        others: list[tuple[_Planned, FirstTry]] = []
        for transfer in ended:
            plan, ticket = transfer.item
            sent = self._read(transfer, plan, ticket)
            if isinstance(sent, Sent):
                accepted.append((ticket, num_tokens(sent.value)))
                read.append((plan, sent, transfer.started))
            else:
                others.append((plan, self._first_try(plan, sent, transfer.started)))
            self._transfers.reuse(transfer)
        if accepted:
            self._limiter.accepted_all(accepted)
        answered: list[tuple[Any, RequestResult]] = []
        kept: list[tuple[_Planned, Sent, float, dict[str, Any]]] = []
        for plan, sent, began in read:
            response = {**sent.value, "request_datetime": sent.began_at, "request_time": sent.seconds}
            result = self._result(plan, response, False)
            if result is None:
                others.append((plan, self._first_try(plan, sent, began)))
            else:
                kept.append((plan, sent, began, response))
                answered.append((plan.item, result))
        is_stored = self._store(kept, [plan for plan, _ in others])
        if is_stored and answered:
            self._finish(answered)
        elif not is_stored:
            others += [(plan, self._first_try(plan, sent, began)) for plan, sent, began, _ in kept]
        for plan, first_try in others:
            self._work.hand_over(plan.item, first_try)
        return True

    def _first_try(self, plan: _Planned, outcome: Sent | Exception, began: float) -> FirstTry:
        return FirstTry(outcome, began, self._endpoint.url(plan.call.route), plan.data)

    def _read(self, transfer: Transfer, plan: _Planned, ticket: Ticket) -> Sent | Exception:
        """Return the answer of an exchange, or why there is none."""
        endpoint, call = self._endpoint, plan.call
        url = endpoint.url(call.route)
        value: Any = None
        headers: Mapping[str, str] = {}
        try:
            if isinstance(transfer.error, EXCHANGE_ERRORS):
                raise endpoint.failure_of(transfer.error, url, endpoint.timeout_s)
            if transfer.error is not None:
                raise transfer.error
            headers = transfer.headers
            value = endpoint.read_answer(url, transfer.status, headers, b"".join(transfer.body), call.decode)
            call.check(value)
            endpoint.tell(headers)
            return Sent(value, int(transfer.started_at), transfer.seconds)
        except RequestFailure as failure:
            usage = read_usage(value) if isinstance(value, dict) else None
            get_ledger().record_failed_try(self._deployment, usage)
            endpoint.note_failed_try(ticket, failure, headers)
            return failure
        except Exception as e:
            self._limiter.abandoned(ticket)
            return e

    def _result(self, plan: _Planned, response: dict[str, Any], is_cached: bool) -> RequestResult | None:
        """Return the result that a response means; None if that takes more than a look at it."""
        try:
            outputs, usage = plan.call.read(response)
            if len(outputs) != 1 or stopped_while_thinking(outputs[0]):
                return None
            return combine([Answer(response, is_cached, outputs, usage)], outputs)
        except Exception:  # it comes again, and is told, in the usual way
            return None

    def _store(self, kept: list[tuple[_Planned, Sent, float, dict[str, Any]]], others: list[_Planned]) -> bool:
        """Put responses into the cache, and let go of the keys of other requests; return whether all could be stored."""
        is_stored = True
        plans = [plan for plan, *_ in kept] + others
        try:
            is_kept = self._client.cache.is_enabled
            texts = [(plan.key, encode_value(response)) for plan, _, _, response in kept] if is_kept else []
            self._client.cache.settle([plan.key for plan in plans], texts)
        except Exception:  # it comes again, and is told, in the usual way
            is_stored = False
        responses: list[dict[str, Any] | None] = [response if is_stored else None for *_, response in kept]
        responses += [None] * len(others)
        end_all([(plan.once, answer) for plan, answer in zip(plans, responses, strict=True) if plan.once is not None])
        return is_stored

    def _finish(self, answered: list[tuple[Any, RequestResult]]) -> None:
        get_ledger().record_all(self._deployment, [result for _, result in answered])
        self._work.finish(answered)

    # --- what does not become anything --------------------------------------------------------------------------------

    def _drop(self, plans: Sequence[_Planned]) -> None:
        """Let go of the keys of requests that are not sent from here."""
        if plans:
            self._store([], list(plans))

    def _hand_over(self, plans: Sequence[_Planned]) -> None:
        for plan in plans:
            self._work.hand_over(plan.item, None)

    def _abandon(self) -> None:
        """Give back all that is held when the thread must end at once."""
        for transfer in self._transfers.close():
            plan, ticket = transfer.item
            self._limiter.abandoned(ticket)
            self._ready.append(plan)
        self._drop(list(self._ready))
        self._ready.clear()


def _is_ordinary(request: Request) -> bool:
    """Return whether a request asks for one completion of a text or of messages, without anything else."""
    return (
        request.num_completions == 1
        and request.options is None
        and request.multimodal_prompt is None
        and not request.embedding
        and not request.echo_prompt
        and not request.tools
        and not (request.prompt and request.messages)
    )
