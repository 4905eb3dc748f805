"""The base of clients of hosted models: one endpoint, typed failures, the cache, and requests for several completions."""

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, ClassVar, NamedTuple

from helm.clients.client import CachingClient, generate_uid_for_multimodal_prompt
from helm.clients.http.answer_errors import find_error
from helm.clients.http.http_endpoint import Headers, HTTPEndpoint, read_json_body
from helm.clients.http.in_flight import is_repeatable, send_once
from helm.clients.http.request_failure import RequestFailure, shortened
from helm.common.cache import CacheConfig, request_to_key
from helm.common.errors import ConfigError
from helm.common.request import (
    AUTH,
    CANCELLED,
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    MALFORMED,
    OK,
    REFUSED,
    TRUNCATED,
    GeneratedOutput,
    Request,
    RequestResult,
    Usage,
)
from helm.common.request_options import CHAT_TEMPLATE_KWARGS, REASONING_EFFORT, SEED, RequestOptions, merged
from helm.common.sending import BatchSlot, Sent, current_deferral, current_place, is_sending

Reading = tuple[Sequence[GeneratedOutput], Usage | None]
"""The completions and the token usage that an answer holds."""


class Upload(NamedTuple):
    """A request body that is not JSON."""

    data: bytes

    content_type: str


class Call(NamedTuple):
    """What a client knows about an exchange with a provider before it happens; `HTTPClient._exchange` carries it out."""

    route: str

    body: Mapping[str, Any] | Callable[[], Upload]
    """The JSON body before `HTTPClient._body`, or a function that reads files, called at the time of sending. Uploads are
    never part of a batch."""

    key: Mapping[str, Any]
    """The key in the response cache. Equal keys must have equal answers."""

    check: Callable[[Any], Any]
    """Raises RequestFailure if the value is not a valid answer, which counts as a failed try."""

    read: Callable[[Mapping[str, Any]], Reading]
    """Reads an answer that passed `check`, now or before it was cached."""

    headers: Headers = None
    """Headers in addition to those of the endpoint."""

    decode: Callable[[bytes, str], Any] = read_json_body
    """Decodes an answer from its body and content type. Raises ValueError if it cannot."""


@dataclass(frozen=True)
class Answer:
    """One completed exchange, sent now or read from the cache."""

    response: Mapping[str, Any]
    """The response with `request_time` and `request_datetime` added."""

    cached: bool

    outputs: Sequence[GeneratedOutput]

    usage: Usage | None


NO_PROMPT_LOGPROBS = {"prompt log-probabilities": "this API gives no log-probabilities of prompts"}


class HTTPClient(CachingClient):
    """Base class of clients that use HTTP.

    Every request takes the same path: `_build` describes what to send, `_exchange` gets the answer (from the cache, in a
    batch, from an identical request in flight, or by sending it), and `Call.read` interprets it. A subclass implements
    `_build` and raises RequestFailure for anything that is not an answer, which becomes a result with `success=False`, the
    outcome, and an error that names the address and the cause. The endpoint retries transient failures, so callers need not.

    Args:
        cache_config: where responses are cached.
        endpoint: the provider's address, with the key.
        missing_key: see `Client`.
        usual_url: the provider's own address. Cache keys include any other address, because two servers may use the same
            name for different models. None leaves addresses out of cache keys.
    """

    TAKES_TOOLS: ClassVar[bool] = True
    """Whether `Request.tools` are sent to the provider; otherwise requests with tools are refused."""

    PROMPT_STANDS_ALONE: ClassVar[bool] = False
    """Whether the ordinary calls for prompts that differ in nothing else have bodies and cache keys that differ in nothing but
    the prompt, which is there once, as a text of its own. A lane then makes them from a single one. A subclass that changes
    how calls are made says so again, or has calls made one by one."""

    METHOD: ClassVar[str] = "POST"
    """The method of requests that make completions."""

    MEDIA_FIELD: ClassVar[str | None] = None
    """The field of the body that holds images and audio, which the cache key replaces by their locations."""

    OPTION_FIELDS: ClassVar[Mapping[str, str]] = {
        SEED: "seed",
        REASONING_EFFORT: "reasoning_effort",
        CHAT_TEMPLATE_KWARGS: "chat_template_kwargs",
    }
    """Maps options to fields of the body, with dots between the keys of nested objects."""

    TOP_K_FIELD: ClassVar[str] = ""
    """The field with `top_k_per_token`, which requests with options do not have."""

    IDEMPOTENCY_HEADER: ClassVar[str] = ""
    """The header with a key that all tries of one request share, also those of a resumed run, so that a provider or gateway
    that keeps answers by it makes and charges each once. Draws of their own have keys of their own. Empty sends none."""

    waits_for_endpoint = True
    retries_requests = True

    def __init__(
        self,
        cache_config: CacheConfig | None,
        endpoint: HTTPEndpoint,
        missing_key: str | None = None,
        usual_url: str | None = None,
    ):
        super().__init__(cache_config)
        self.endpoint = endpoint
        self.limiter = endpoint.limiter
        self.missing_key = missing_key
        self.identity = (endpoint.public_url, endpoint.secret)
        """What equal requests in flight must share to share an answer."""
        is_usual = usual_url is None or endpoint.base_url == usual_url.rstrip("/")
        self._key_extras: dict[str, Any] = {} if is_usual else {"base_url": endpoint.public_url}
        self._takes_no_stop = False

    def make_request(self, request: Request) -> RequestResult:
        try:
            if request.embedding:
                return self._embed(request)
            if request.multimodal_prompt is not None and (request.prompt or request.messages):
                raise self._refusal(
                    "a request has one of `prompt`, `messages` and `multimodal_prompt`, and this one several"
                )
            if request.tools and not self.TAKES_TOOLS:
                raise self._refusal("no tools can be sent there")
            if request.options is not None:
                reason = self.why_not(request)
                if reason is not None:
                    raise self._refusal(reason)
            return self._complete(request)
        except RequestFailure as failure:
            return failure.as_result()

    # --- what a subclass defines --------------------------------------------------------------------------------------

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        """Describe the call for `num_missing` more completions (or the first of them), after the `num_there` at hand.

        Raises:
            RequestFailure: This client or its provider does not support the request.
        """
        raise NotImplementedError

    def ordinary_call(self, request: Request) -> Call | None:
        """Return the only call of a request for one completion without options, media, tools or echo.

        None if the request may need others, or another treatment of its answer than `Call.read`. A subclass that changes a
        step of the path below defines this anew, or has no lanes (`helm.clients.http.request_lane`).

        Raises:
            RequestFailure: This client or its provider does not support the request.
        """
        return self._build(request, 1, 0)

    def _body(self, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the part of a raw request that is sent; its other fields are only for the cache key."""
        return raw

    def _add_options(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        """Return a raw request with the fields for the request's options, if it has any."""
        options = request.options
        if options is None:
            return dict(raw)
        raw = _without(raw, self.TOP_K_FIELD)
        values = {
            SEED: request.seed_of(num_there),
            REASONING_EFFORT: options.reasoning_effort,
            CHAT_TEMPLATE_KWARGS: options.chat_template_kwargs,
        }
        for name, value in values.items():
            if value is not None and name in self.OPTION_FIELDS:
                raw = merged(raw, _nested(self.OPTION_FIELDS[name], value))
        raw = self._adjust(raw, request, options)
        return merged(raw, options.extra_body or {})

    def _adjust(self, raw: dict[str, Any], request: Request, options: RequestOptions) -> dict[str, Any]:
        """Return a raw request changed as the options require, where a field of `OPTION_FIELDS` is not enough."""
        return raw

    def _embed(self, request: Request) -> RequestResult:
        return EMBEDDING_UNAVAILABLE_REQUEST_RESULT

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        """Return the cache key of a raw request.

        Later completions have keys of their own; otherwise a server that ignores `n` would seem to repeat itself.
        """
        key = self.make_cache_key(raw, request)
        if request.multimodal_prompt is not None and self.MEDIA_FIELD is not None and self.MEDIA_FIELD in key:
            del key[self.MEDIA_FIELD]
            key["multimodal_prompt"] = generate_uid_for_multimodal_prompt(request.multimodal_prompt)
        key.update(self._key_extras)
        if num_there:
            key["completion_index"] = num_there
        return key

    # --- the request's path -------------------------------------------------------------------------------------------

    def _complete(self, request: Request) -> RequestResult:
        return self._collect(request, self._ask)

    def _collect(self, request: Request, ask: Callable[[Request, int, int], Answer]) -> RequestResult:
        """Call `ask(request, number missing, number at hand)` until there are `num_completions`."""
        answers: list[Answer] = []
        outputs: list[GeneratedOutput] = []
        while not answers or len(outputs) < request.num_completions:
            answer = ask(request, request.num_completions - len(outputs), len(outputs))
            if not answer.outputs:
                raise self._refusal("the answer holds no completion")
            answers.append(answer)
            outputs.extend(answer.outputs)
        return combine(answers, outputs[: request.num_completions])

    def _ask(self, request: Request, num_missing: int, num_there: int) -> Answer:
        return self._exchange(request, self._build(request, num_missing, num_there))

    def _ask_minding_stop(
        self, request: Request, raw: Mapping[str, Any], call: Callable[[Mapping[str, Any]], Call]
    ) -> Answer:
        """Ask with the field `stop`, and again without it if the server does not handle it; then the client cuts the answer.

        `call` makes a Call of a raw request.
        """
        if self._takes_no_stop:
            return self._exchange(request, call(self._without_stop(raw)))
        try:
            answer = self._exchange(request, call(raw))
        except RequestFailure as failure:
            if not (raw.get("stop") and failure.is_about_stop):
                raise
            answer = self._exchange(request, call(self._without_stop(raw)))
            self._takes_no_stop = True
            return answer
        if raw.get("stop") and any(stopped_while_thinking(output) for output in answer.outputs):
            # The server applied the stop sequences to the reasoning, but they are meant for the answer.
            answer = self._exchange(request, call(self._without_stop(raw)))
        return answer

    def _without_stop(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        return {**raw, "stop": None}

    def _exchange(self, request: Request, call: Call) -> Answer:
        """Get an answer from the cache, or else by sending the request alone or in a batch.

        Only answers that pass `Call.check` are cached. Identical requests in flight at the same time, from any run and
        client, are sent once if each would get the same answer from the cache or decodes greedily.
        """
        is_shared = False
        slot = self._slot(request, call)
        is_shareable = slot is None and (self.cache.is_enabled or is_repeatable(call.key))
        text = request_to_key(call.key) if is_shareable else None

        def compute() -> dict[str, Any]:
            nonlocal is_shared
            if not is_shareable:
                return compute_alone()
            response, is_shared = send_once((self.identity, text), compute_alone)
            return response

        def compute_alone() -> dict[str, Any]:
            if not is_sending():
                raise RequestFailure(CANCELLED, f"{self.endpoint.public_url}: not cached, and nothing may be sent.")
            if self.missing_key is not None:
                raise RequestFailure(AUTH, f"{self.endpoint.public_url}: {self.missing_key}")
            sent = self._send(call, slot)
            return {**sent.value, "request_datetime": sent.began_at, "request_time": sent.seconds}

        older_key = None
        if self.reads_keys_without_address and "base_url" in call.key:
            older_key = {name: value for name, value in call.key.items() if name != "base_url"}
        response, cached = self.cache.get(call.key, compute, text, is_answer=self.is_answer, older_request=older_key)
        if slot is not None:
            slot.deferral.settled(slot)
        outputs, usage = call.read(response)
        return Answer(response, cached or is_shared, outputs, usage)

    def is_answer(self, response: Mapping[str, Any]) -> bool:
        """Return whether a cached response is an answer: caches of old versions and of crfm-helm may hold errors."""
        return bool(response) and find_error(response) is None

    def _slot(self, request: Request, call: Call) -> BatchSlot | None:
        """Return the slot of a request that belongs in a batch; None if it is sent by itself."""
        deferral = current_deferral()
        if deferral is None or callable(call.body):
            return None
        batches = self.batches
        if batches is None or not deferral.is_taking(batches, request.model_deployment):
            return None
        return BatchSlot(deferral, batches, request.model_deployment, request_to_key(call.key))

    def _send(self, call: Call, slot: BatchSlot | None) -> Sent:
        if callable(call.body):
            data, content_type = call.body()
            return self.endpoint.send("POST", call.route, data, call.check, {"Content-Type": content_type})
        body = self.body_of(call)
        if slot is not None:
            return slot.deferral.exchange(slot, call.route, body, call.check)
        data = encoded(body)
        headers = self.headers_of(call, data, current_place())
        return self.endpoint.send(self.METHOD, call.route, data, call.check, headers, call.decode)

    def body_of(self, call: Call) -> Mapping[str, Any]:
        """Return the JSON body of a call that has one."""
        assert not callable(call.body), "an upload"
        return self._body(call.body)

    def headers_of(self, call: Call, data: bytes, place: str | None) -> Any:
        """Return the headers of a call, with the key of `IDEMPOTENCY_HEADER` for a request that a journal records.

        `place` is where it is recorded; None if it is not.
        """
        if not self.IDEMPOTENCY_HEADER or place is None:
            return call.headers
        number, given = call.key.get("completion_index", 0), call.headers
        digest = hashlib.sha256(f"{place}\n{call.route}\n{number}\n".encode("utf-8", "surrogatepass") + data)
        added = {self.IDEMPOTENCY_HEADER: f"helm-{digest.hexdigest()[:32]}"}
        if callable(given):
            return lambda renews: {**given(renews), **added}
        return {**(given or {}), **added}

    # --- for subclasses -----------------------------------------------------------------------------------------------

    def _refusal(self, cause: str, route: str = "") -> RequestFailure:
        """Return the failure of a request that this client or its provider does not support."""
        return self.endpoint.failure(REFUSED, route, f"{cause}.")

    def _malformed(self, route: str, lack: str, answer: Any) -> RequestFailure:
        """Return the failure of an invalid answer, which is quoted; `lack` names the defect."""
        quoted = shortened(json.dumps(answer), self.endpoint.secret)
        return self.endpoint.failure(MALFORMED, route, f"{lack}: {quoted}")


class ProviderClient(HTTPClient):
    """Base class of clients of one provider, which has a usual address and takes a key in a header.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads the environment variable `KEY_VARIABLE`.
        base_url: the address; None means `BASE_URL`.
        headers: additional headers of each request.
        needs_key: whether requests without a key fail.
        timeout_s: the longest silence of the server, in seconds; None uses the setting for all endpoints.
    """

    BASE_URL: ClassVar[str] = ""
    KEY_VARIABLE: ClassVar[str] = ""
    CREDENTIAL: ClassVar[str] = ""
    """The name of the key in credentials.conf."""
    KEY_HEADER: ClassVar[tuple[str, str]] = ("Authorization", "Bearer {key}")

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        base_url: str | None = None,
        headers: Mapping[str, str] | None = None,
        needs_key: bool = True,
        timeout_s: float | None = None,
    ):
        key, missing = find_key(api_key, self.KEY_VARIABLE, self.CREDENTIAL)
        name, value = self.KEY_HEADER
        sent = {**({name: value.format(key=key)} if key else {}), **(headers or {})}
        endpoint = HTTPEndpoint(base_url or self.BASE_URL, sent, secret=key or "", timeout_s=timeout_s)
        super().__init__(cache_config, endpoint, missing if needs_key else None, self.BASE_URL)


def encoded(body: Mapping[str, Any]) -> bytes:
    """Return a body as JSON. msgspec is ten times faster, but writes null for infinities and NaN, and no half characters."""
    import msgspec

    try:
        data = msgspec.json.encode(body)
    except (TypeError, ValueError, OverflowError):
        return json.dumps(body).encode("ascii")
    if b"null" not in data or not _may_hold_not_finite(body):
        return data
    return json.dumps(body).encode("ascii")


def _may_hold_not_finite(value: Any) -> bool:
    """Return whether an infinity or NaN may be somewhere in a body. Most nulls are None, or stand in a text."""
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, Mapping):
        return any(map(_may_hold_not_finite, value.values())) or any(map(_may_hold_not_finite, value))
    if isinstance(value, (list, tuple)):
        return any(map(_may_hold_not_finite, value))
    return not isinstance(value, (str, int, NoneType))


def _nested(field: str, value: Any) -> dict[str, Any]:
    """Return the object in which the dotted path `field` has a value."""
    for key in reversed(field.split(".")):
        value = {key: value}
    return value


def _without(raw: Mapping[str, Any], field: str) -> dict[str, Any]:
    """Return a body without the field at a dotted path."""
    key, _, rest = field.partition(".")
    result = dict(raw)
    if rest and isinstance(result.get(key), Mapping):
        result[key] = _without(result[key], rest)
    else:
        result.pop(key, None)
    return result


def stopped_while_thinking(output: GeneratedOutput) -> bool:
    reason = (output.finish_reason or {}).get("reason")
    return not output.text and output.thinking is not None and reason == "stop" and not output.tool_calls


def combine(answers: Sequence[Answer], outputs: Sequence[GeneratedOutput]) -> RequestResult:
    """Combine all exchanges of a request into its result."""
    first = answers[0]
    usage, is_cached, seconds = first.usage, first.cached, first.response["request_time"]
    for answer in answers[1:]:
        usage = usage + answer.usage if usage is not None and answer.usage is not None else usage or answer.usage
        is_cached = is_cached and answer.cached
        seconds += answer.response["request_time"]
    is_cut = False
    for output in outputs:
        if output.finish_reason and output.finish_reason.get("reason") == "length":
            is_cut = True
    return RequestResult(
        success=True,
        cached=is_cached,
        completions=list(outputs),
        embedding=[],
        request_time=seconds,
        request_datetime=first.response["request_datetime"],
        outcome=TRUNCATED if is_cut else OK,
        usage=usage,
    )


def find_key(api_key: str | None, variable: str, credential: str) -> tuple[str | None, str | None]:
    """Return the key, or None and the message for a request that needs it."""
    key = api_key or os.environ.get(variable) or None
    if key is not None:
        return str(key), None
    return None, (
        f"there is no key. Put {credential}: YOUR_KEY into credentials.conf of the folder given with --local-path, or set "
        f"the environment variable {variable}."
    )


def reject_unknown_arguments(class_name: str, known: Sequence[str], arguments: Mapping[str, Any]) -> None:
    """Raise ConfigError for the first unknown argument."""
    from helm.common.errors import suggest

    for name in arguments:
        if name not in known:
            raise ConfigError(f"{class_name} has no argument '{name}'.{suggest(name, known)}")
