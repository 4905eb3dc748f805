"""What the clients of hosted models share: one endpoint, typed failures, the cache, and completions that are many."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Dict, List, Mapping, Optional, Sequence, Tuple

from helm.clients.answer_errors import find_error
from helm.clients.client import CachingClient
from helm.clients.http_endpoint import HTTPEndpoint
from helm.clients.in_flight import is_repeatable, send_once
from helm.clients.limiter import Limiter
from helm.clients.request_failure import RequestFailure
from helm.common.cache import CacheConfig, request_to_key
from helm.common.errors import ConfigError
from helm.common.request import (
    AUTH,
    CANCELLED,
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    OK,
    REFUSED,
    TRUNCATED,
    GeneratedOutput,
    Request,
    RequestResult,
    Usage,
)
from helm.common.sending import BatchSlot, current_deferral, in_slot, is_sending

if TYPE_CHECKING:
    from helm.clients.batch.batches import Batches


@dataclass(frozen=True)
class Answer:
    """One exchange, sent now or long ago."""

    response: Mapping[str, Any]
    """With `request_time` and `request_datetime`."""

    cached: bool

    outputs: Sequence[GeneratedOutput]

    usage: Optional[Usage]


def _is_answer(response: Mapping[str, Any]) -> bool:
    """Caches of earlier versions, and those that crfm-helm wrote, may hold answers with an error in them."""
    return bool(response) and find_error(response) is None


NO_PROMPT_LOGPROBS = {"prompt log-probabilities": "this API gives no log-probabilities of prompts"}


class HTTPClient(CachingClient):
    """Base of the clients that ask over HTTP.

    A subclass implements `_complete` and raises RequestFailure for whatever is no answer; that becomes a result with
    `success=False`, the outcome, and an error that names the address and the cause. The endpoint tries again what may
    pass, so whoever calls need not.
    """

    TAKES_TOOLS: ClassVar[bool] = True
    """`Request.tools` get to the provider; else requests with tools are refused."""

    retries_requests = True
    """Tells AutoClient that tries are made here, by type of failure."""

    lacks: ClassVar[Mapping[str, str]] = {}
    """What the API does not have, by the names of `helm.clients.capabilities`, with the reason: nobody needs to ask."""

    def __init__(self, cache_config: Optional[CacheConfig], endpoint: HTTPEndpoint, missing_key: Optional[str] = None):
        super().__init__(cache_config)
        self.endpoint = endpoint
        self._identity = (endpoint.public_url, endpoint.secret)
        self.reads_keys_without_address = False
        """Answers that a cache holds for the same request without `base_url`, as HELM's caches do, count as this endpoint's."""
        self.missing_key = missing_key
        """What to say when a request needs the key that there is not; None: there is one, or none is needed."""

    @property
    def limiter(self) -> Limiter:
        """How many requests may be on their way to the endpoint now."""
        return self.endpoint.limiter

    @property
    def batches(self) -> "Optional[Batches]":
        """The provider's batch API; None: it has none."""
        return None

    def make_request(self, request: Request) -> RequestResult:
        try:
            if request.embedding:
                return self._embed(request)
            if request.tools and not self.TAKES_TOOLS:
                raise self._refusal("no tools can be sent there")
            return self._complete(request)
        except RequestFailure as failure:
            return failure.as_result()

    def _complete(self, request: Request) -> RequestResult:
        raise NotImplementedError

    def _embed(self, request: Request) -> RequestResult:
        return EMBEDDING_UNAVAILABLE_REQUEST_RESULT

    def _ask(
        self,
        key: Mapping[str, Any],
        send: Callable[[], Dict[str, Any]],
        read: Callable[[Mapping[str, Any]], Tuple[Sequence[GeneratedOutput], Optional[Usage]]],
    ) -> Answer:
        """From the cache, or else sent, by itself or with a batch; only what `send` returns is cached.

        Equal requests that are on their way at the same time, of whatever run and client, are sent once, where each would
        get the same answer from the cache or wants the likeliest one.
        """
        is_shared = False
        slot = self._slot(key)
        is_shareable = slot is None and (self.cache.is_enabled or is_repeatable(key))
        text = request_to_key(key) if is_shareable else None

        def compute() -> Dict[str, Any]:
            nonlocal is_shared
            if not is_shareable:
                return compute_alone()
            response, is_shared = send_once((self._identity, text), compute_alone)
            return response

        def compute_alone() -> Dict[str, Any]:
            if not is_sending():
                raise RequestFailure(CANCELLED, f"{self.endpoint.public_url}: not cached, and nothing is to be sent.")
            if self.missing_key is not None:
                raise RequestFailure(AUTH, f"{self.endpoint.public_url}: {self.missing_key}")
            with in_slot(slot):
                sent = dict(send())
            sent["request_datetime"], sent["request_time"] = self.endpoint.last_exchange
            return sent

        older_key = None
        if self.reads_keys_without_address and "base_url" in key:
            older_key = {name: value for name, value in key.items() if name != "base_url"}
        response, cached = self.cache.get(key, compute, text, is_answer=_is_answer, older_request=older_key)
        if slot is not None:
            slot.deferral.settled(slot)
        outputs, usage = read(response)
        return Answer(response, cached or is_shared, outputs, usage)

    def _slot(self, key: Mapping[str, Any]) -> Optional[BatchSlot]:
        """Where a request goes that is to be part of a batch; None: it is sent by itself."""
        deferral = current_deferral()
        if deferral is None:
            return None
        batches = self.batches
        if batches is None or not deferral.is_taking(batches):
            return None
        return BatchSlot(deferral, batches, request_to_key(key))

    def _collect(self, request: Request, ask: Callable[[int, int], Answer]) -> RequestResult:
        """Ask until there are `num_completions`: `ask(how many are missing, how many there are)`."""
        answers: List[Answer] = []
        outputs: List[GeneratedOutput] = []
        while not answers or len(outputs) < request.num_completions:
            answer = ask(request.num_completions - len(outputs), len(outputs))
            if not answer.outputs:
                raise self._refusal("the answer holds no completion")
            answers.append(answer)
            outputs.extend(answer.outputs)
        return combine(answers, outputs[: request.num_completions])

    def _refusal(self, cause: str, route: str = "") -> RequestFailure:
        """A request that this client or its provider cannot take."""
        return self.endpoint.failure(REFUSED, route, f"{cause}.")


def combine(answers: Sequence[Answer], outputs: Sequence[GeneratedOutput]) -> RequestResult:
    """The result of all exchanges together."""
    usages = [answer.usage for answer in answers if answer.usage is not None]
    usage = usages[0] if usages else None
    for further in usages[1:]:
        usage = usage + further if usage is not None else further
    is_cut = any((output.finish_reason or {}).get("reason") == "length" for output in outputs)
    return RequestResult(
        success=True,
        cached=all(answer.cached for answer in answers),
        completions=list(outputs),
        embedding=[],
        request_time=sum(answer.response["request_time"] for answer in answers),
        request_datetime=answers[0].response["request_datetime"],
        outcome=TRUNCATED if is_cut else OK,
        usage=usage,
    )


def find_key(api_key: Optional[str], variable: str, credential: str) -> Tuple[Optional[str], Optional[str]]:
    """The key, and else what to say when a request needs it."""
    key = api_key or os.environ.get(variable) or None
    if key is not None:
        return str(key), None
    return None, (
        f"there is no key. Put {credential}: YOUR_KEY into credentials.conf of the folder given with --local-path, or set "
        f"the environment variable {variable}."
    )


def reject_unknown_arguments(class_name: str, known: Sequence[str], arguments: Mapping[str, Any]) -> None:
    """Raises: ConfigError that names the argument which is not known."""
    from helm.common.errors import suggest

    for name in arguments:
        if name not in known:
            raise ConfigError(f"{class_name} has no argument '{name}'.{suggest(name, known)}")
