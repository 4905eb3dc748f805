"""Any server that speaks OpenAI's protocol: vLLM, llama.cpp, Ollama, LM Studio, SGLang, a gateway, or OpenAI itself."""

import json
import os
import threading
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from helm.clients.client import CachingClient
from helm.common.cache import CacheConfig
from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.media_object import TEXT_TYPE
from helm.common.request import (
    EMBEDDING_UNAVAILABLE_REQUEST_RESULT,
    ErrorFlags,
    GeneratedOutput,
    Request,
    RequestResult,
    Thinking,
    Token,
    wrap_request_time,
)

if TYPE_CHECKING:
    import urllib3

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
API_KEY_VARIABLE = "OPENAI_API_KEY"
TIMEOUT_VARIABLE = "HELM_REQUEST_TIMEOUT_S"

CHAT_ROUTE = "chat/completions"
COMPLETIONS_ROUTE = "completions"

_DEFAULT_TIMEOUT_S = 300.0
_CONNECT_TIMEOUT_S = 20.0
_MAX_RETRY_AFTER_S = 30.0
"""A server that asks for a longer pause is left to the caller's own retries."""
_MAX_RETRY_AFTER_ATTEMPTS = 3
_MAX_QUOTED_CHARACTERS = 300


@cache
def _shared_connections() -> "urllib3.PoolManager":
    """The connections of this process: one pool for each host, shared by all clients and threads."""
    import urllib3

    return urllib3.PoolManager(num_pools=64, maxsize=512)


@dataclass
class _Failure(Exception):
    """A request that brought no answer. The message names the URL and the cause, and holds no key."""

    message: str
    is_retriable: bool = False
    is_fatal: bool = True
    status: Optional[int] = None
    """HTTP status, when there was one."""

    def __str__(self) -> str:
        return self.message

    @property
    def is_missing_route(self) -> bool:
        """The server does not know the URL; a server that does not know the model says so."""
        return self.status == 405 or (
            self.status == 404 and "model" not in self.message.partition("HTTP status")[2].lower()
        )


class OpenAICompatibleClient(CachingClient):
    """Client for servers with `POST {base_url}/chat/completions` and `POST {base_url}/completions`.

    Prompts and chat messages go to the chat route; `echo_prompt`, which needs the log-probabilities of the prompt, and
    servers without a chat route get the other one. The cache key is the JSON that is sent and the server's address (two
    servers may call different models alike), without credentials.
    Every failure is a result with `success=False` whose error names the URL and the cause; it is worth another try
    after 429, 5xx, timeouts and broken connections. A server that ignores `n` is asked again until there are enough
    completions. `top_k_per_token` has no effect.

    Args:
        cache_config: where responses are cached.
        base_url: what the routes are below, for example `http://localhost:8000/v1`; None: `$OPENAI_BASE_URL`.
        api_key: sent as a bearer token; None: `$OPENAI_API_KEY`; local servers need none.
        model_name: the model as the catalogue names it, `org/name`; the server is asked for `name`.
        openai_model_name: the model as the server names it; goes before `model_name`.
        timeout_s: longest silence of the server, in seconds; None: `$HELM_REQUEST_TIMEOUT_S`, else 300.
        route: `chat/completions` or `completions` for all requests; None: as above.
    Raises: ConfigError when there is no usable URL, route or timeout.
    """

    def __init__(
        self,
        cache_config: Optional[CacheConfig],
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        model_name: Optional[str] = None,
        openai_model_name: Optional[str] = None,
        timeout_s: Optional[float] = None,
        route: Optional[str] = None,
    ):
        super().__init__(cache_config)
        base_url = base_url or os.environ.get(BASE_URL_VARIABLE)
        if not base_url:
            raise ConfigError(
                f"An OpenAI-compatible server needs base_url, or the environment variable {BASE_URL_VARIABLE}."
            )
        if urlsplit(base_url).scheme not in ("http", "https") or not urlsplit(base_url).hostname:
            raise ConfigError(f"base_url must be like http://localhost:8000/v1, not '{base_url}'.")
        if route not in (None, CHAT_ROUTE, COMPLETIONS_ROUTE):
            raise ConfigError(f"route takes {CHAT_ROUTE} or {COMPLETIONS_ROUTE}, not '{route}'.")
        self.base_url = base_url.rstrip("/")
        parts = urlsplit(self.base_url)
        self._public_url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        self.timeout_s = _timeout_s(timeout_s)
        self._api_key = api_key or os.environ.get(API_KEY_VARIABLE) or None
        self._model = openai_model_name or (model_name.partition("/")[2] if model_name else None)
        self._route = route
        self._lock = threading.Lock()
        self._lacks_chat_route = False

    def make_request(self, request: Request) -> RequestResult:
        if request.embedding:
            return EMBEDDING_UNAVAILABLE_REQUEST_RESULT
        try:
            return self._complete(request)
        except _Failure as failure:
            return RequestResult(
                success=False,
                cached=False,
                completions=[],
                embedding=[],
                error=str(failure),
                error_flags=ErrorFlags(is_retriable=failure.is_retriable, is_fatal=failure.is_fatal),
            )

    # --- which route -------------------------------------------------------------------------------------------------

    def _complete(self, request: Request) -> RequestResult:
        if self._route is not None:
            return self._complete_with(self._route, request)
        if request.echo_prompt:
            try:
                return self._complete_with(COMPLETIONS_ROUTE, request)
            except _Failure as failure:
                if failure.is_missing_route:
                    failure.message += " (log-probabilities of prompts need this route; this server has none)"
                raise
        if self._lacks_chat_route and not request.messages:
            return self._complete_with(COMPLETIONS_ROUTE, request)
        try:
            return self._complete_with(CHAT_ROUTE, request)
        except _Failure as failure:
            if not failure.is_missing_route or request.messages:
                raise
            result = self._complete_with(COMPLETIONS_ROUTE, request)  # raises what is wrong with that one
            with self._lock:
                if not self._lacks_chat_route:
                    hwarn(f"{self.base_url}/{CHAT_ROUTE} does not exist; using {self.base_url}/{COMPLETIONS_ROUTE}")
                    self._lacks_chat_route = True
            return result

    def _complete_with(self, route: str, request: Request) -> RequestResult:
        """Ask until there are `num_completions` completions; most servers give all of them at once."""
        completions: List[GeneratedOutput] = []
        cached, seconds, first_datetime = True, 0.0, None
        while True:
            raw_request = self._raw_request(route, request, request.num_completions - len(completions))
            cache_key = {**self.make_cache_key(raw_request, request), "base_url": self._public_url}
            if completions:
                cache_key["completion_index"] = len(completions)  # or a server that ignores n would repeat itself
            compute = wrap_request_time(partial(self._ask, route, raw_request))
            response, was_cached = self.cache.get(cache_key, compute)
            cached = cached and was_cached
            seconds += response["request_time"]
            first_datetime = first_datetime or response["request_datetime"]
            completions += self._read_choices(route, request, response)
            if len(completions) >= request.num_completions:
                break
        return RequestResult(
            success=True,
            cached=cached,
            completions=completions[: request.num_completions],
            embedding=[],
            request_time=seconds,
            request_datetime=first_datetime,
        )

    # --- what is sent ------------------------------------------------------------------------------------------------

    def _raw_request(self, route: str, request: Request, num_completions: int) -> Dict[str, Any]:
        raw_request: Dict[str, Any] = {"model": self._model or request.model.partition("/")[2]}
        if route == CHAT_ROUTE:
            if request.echo_prompt:
                raise self._refusal(f"/{CHAT_ROUTE} cannot echo the prompt; leave route unset or {COMPLETIONS_ROUTE}")
            raw_request["messages"] = request.messages or [{"role": "user", "content": self._text_prompt(request)}]
        else:
            if request.messages:
                raise self._refusal(f"chat messages need the route /{CHAT_ROUTE}")
            raw_request.update(prompt=self._text_prompt(request), logprobs=1)
            if request.echo_prompt:
                raw_request["echo"] = True
        raw_request.update(
            temperature=request.temperature,
            top_p=request.top_p,
            n=num_completions,
            max_tokens=request.max_tokens,
            presence_penalty=request.presence_penalty,
            frequency_penalty=request.frequency_penalty,
        )
        if request.stop_sequences:
            raw_request["stop"] = list(request.stop_sequences)
        if request.response_format is not None and request.response_format.json_schema is not None:
            schema = {"name": "response", "schema": request.response_format.json_schema, "strict": True}
            raw_request["response_format"] = {"type": "json_schema", "json_schema": schema}
        return raw_request

    def _text_prompt(self, request: Request) -> str:
        if request.multimodal_prompt is None:
            return request.prompt
        for media in request.multimodal_prompt.media_objects:
            if not media.is_type(TEXT_TYPE):
                raise self._refusal(f"this client sends text only, and the prompt holds {media.content_type}")
        return request.multimodal_prompt.text

    def _refusal(self, cause: str) -> _Failure:
        return _Failure(f"{self.base_url}: {cause}.")

    # --- the exchange ------------------------------------------------------------------------------------------------

    def _ask(self, route: str, raw_request: Mapping[str, Any]) -> Dict[str, Any]:
        """Send and receive once, or again when the server asks for a short pause. Raises: _Failure."""
        url = f"{self.base_url}/{route}"
        body = json.dumps(raw_request).encode("ascii")
        for attempt in range(1, _MAX_RETRY_AFTER_ATTEMPTS + 1):
            status, headers, data = self._post(url, body)
            pause_s = _retry_after_s(headers) if status in (429, 503) else None
            if pause_s is None or pause_s > _MAX_RETRY_AFTER_S or attempt == _MAX_RETRY_AFTER_ATTEMPTS:
                break
            hlog(f"{url}: HTTP status {status}; trying again after {pause_s:g} s as the server asks")
            sleep_until_stopped(pause_s)
        if status != 200:
            is_retriable = status in (408, 409, 425, 429) or status >= 500
            text = self._shortened(_error_text(data))
            raise _Failure(f"{url}: HTTP status {status}. {text}".rstrip(), is_retriable=is_retriable, status=status)
        try:
            response = json.loads(data)
        except ValueError as e:
            raise _Failure(f"{url}: the answer is not JSON: {self._shortened(_decoded(data)) or 'it is empty'}") from e
        choices = response.get("choices") if isinstance(response, dict) else None
        if not isinstance(choices, list) or not choices or not all(isinstance(choice, dict) for choice in choices):
            # Some gateways report errors with status 200.
            raise _Failure(f"{url}: the answer holds no list of choices: {self._shortened(_error_text(data))}")
        for choice in choices:
            self._check_choice(url, route, choice)
        return response

    def _post(self, url: str, body: bytes) -> Tuple[int, Mapping[str, str], bytes]:
        import urllib3
        from urllib3 import exceptions

        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "helm-evals"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        timeout = urllib3.Timeout(connect=min(_CONNECT_TIMEOUT_S, self.timeout_s), read=self.timeout_s)
        try:
            response = _shared_connections().request(
                "POST", url, body=body, headers=headers, timeout=timeout, retries=False, redirect=False
            )
        except exceptions.NewConnectionError as e:  # a kind of ConnectTimeoutError
            cause = str(e.__cause__ or e)
            raise _Failure(f"{url}: cannot connect: {cause}. Is the server running?", is_retriable=True) from e
        except exceptions.ConnectTimeoutError as e:
            raise _Failure(f"{url}: no connection within {timeout.connect_timeout:g} s.", is_retriable=True) from e
        except exceptions.ReadTimeoutError as e:
            raise _Failure(f"{url}: no answer within {self.timeout_s:g} s.", is_retriable=True) from e
        except exceptions.LocationParseError as e:
            raise _Failure(f"{url}: this is no address: {e}") from e
        except (exceptions.HTTPError, OSError) as e:
            raise _Failure(f"{url}: the connection broke off: {self._shortened(str(e))}", is_retriable=True) from e
        return response.status, response.headers, response.data

    def _shortened(self, text: str) -> str:
        """For quoting: on one line, not long, and without the key, which some servers repeat."""
        text = " ".join(text.split())
        if self._api_key:
            text = text.replace(self._api_key, "***")
        return text if len(text) <= _MAX_QUOTED_CHARACTERS else text[:_MAX_QUOTED_CHARACTERS] + "..."

    # --- what comes back ---------------------------------------------------------------------------------------------

    def _check_choice(self, url: str, route: str, choice: Mapping[str, Any]) -> None:
        """Before anything is cached. Raises: _Failure when the choice has not the shape of an answer."""
        reason = choice.get("finish_reason")
        if route == CHAT_ROUTE:
            message = choice.get("message")
            text = _message_text(message) if isinstance(message, dict) else None
            if not text and reason == "content_filter":
                raise _Failure(f"{url}: the server's content filter withheld the answer.", is_fatal=False)
            # A model that spends its whole budget on reasoning has given an answer, though an empty one.
            is_answer = text is not None or (isinstance(message, dict) and reason == "length")
        else:
            is_answer = isinstance(choice.get("text"), str)
        if not is_answer:
            raise _Failure(f"{url}: a choice of the answer holds no text: {self._shortened(json.dumps(choice))}")
        try:
            _read_tokens(route, choice)
        except (TypeError, KeyError, ValueError, AttributeError) as e:
            raise _Failure(
                f"{url}: the answer's logprobs are malformed: {self._shortened(json.dumps(choice['logprobs']))}"
            ) from e

    def _read_choices(self, route: str, request: Request, response: Mapping[str, Any]) -> List[GeneratedOutput]:
        outputs = []
        for choice in sorted(response["choices"], key=lambda choice: choice.get("index") or 0):
            tokens = _read_tokens(route, choice)
            thinking = None
            if route == CHAT_ROUTE:
                message = choice["message"]
                text = _message_text(message) or ""
                reasoning = message.get("reasoning_content") or message.get("reasoning")
                thinking = Thinking(text=reasoning) if isinstance(reasoning, str) else None
            else:
                text = choice["text"]
                if request.echo_prompt and not tokens:
                    raise _Failure(
                        f"{self.base_url}/{COMPLETIONS_ROUTE}: "
                        "the server gives no log-probabilities of the prompt (echo)."
                    )
            reason = choice.get("finish_reason")
            output = GeneratedOutput(
                text=text,
                logprob=sum([token.logprob for token in tokens]),
                tokens=tokens,
                finish_reason={"reason": reason} if isinstance(reason, str) else None,
                thinking=thinking,
            )
            outputs.append(output if request.echo_prompt else _cut_at_stop(output, request.stop_sequences))
        return outputs


def _timeout_s(timeout_s: Optional[float]) -> float:
    if timeout_s is None:
        text = os.environ.get(TIMEOUT_VARIABLE) or str(_DEFAULT_TIMEOUT_S)
        try:
            timeout_s = float(text)
        except ValueError as e:
            raise ConfigError(f"{TIMEOUT_VARIABLE} takes a number of seconds, not '{text}'.") from e
    if not 0 < timeout_s < float("inf"):
        raise ConfigError(f"The request timeout must be a positive number of seconds, not {timeout_s}.")
    return timeout_s


def _retry_after_s(headers: Mapping[str, str]) -> Optional[float]:
    """The pause that the server asks for; None when it asks for none, or names a date."""
    try:
        return max(0.0, float(headers.get("Retry-After", "")))
    except ValueError:
        return None


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _error_text(data: bytes) -> str:
    """What the server says about an error, wherever its dialect puts it."""
    try:
        body = json.loads(data)
    except ValueError:
        return _decoded(data)
    if isinstance(body, dict):
        error = body.get("error")
        candidates = [
            error.get("message") if isinstance(error, dict) else error,
            body.get("message"),
            body.get("detail"),
        ]
        for candidate in candidates:
            if isinstance(candidate, str) and candidate:
                return candidate
    return _decoded(data)


def _message_text(message: Mapping[str, Any]) -> Optional[str]:
    """The text of a chat message: plain, in parts, or a refusal; None when it has none."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join([part for part in parts if isinstance(part, str)]) if parts else None
    if content is None:
        content = message.get("refusal")
    return content if isinstance(content, str) else None


def _read_tokens(route: str, choice: Mapping[str, Any]) -> List[Token]:
    """Tokens with log-probabilities (0.0 where the server has none, as for the first token of a prompt)."""
    logprobs = choice.get("logprobs")
    if not logprobs:
        return []
    if route == CHAT_ROUTE:
        pairs = [(entry["token"], entry["logprob"]) for entry in logprobs["content"] or []]
    else:
        pairs = list(zip(logprobs["tokens"], logprobs["token_logprobs"], strict=True))
    if not all(isinstance(text, str) for text, _ in pairs):
        raise TypeError("tokens must be texts")
    return [Token(text=text, logprob=float(logprob) if logprob is not None else 0.0) for text, logprob in pairs]


def _cut_at_stop(output: GeneratedOutput, stop_sequences: List[str]) -> GeneratedOutput:
    """For servers that give the stop sequence itself, or more: cut text and tokens where the first one begins."""
    found = [output.text.find(stop) for stop in stop_sequences if stop and stop in output.text]
    if not found:
        return output
    end, length, tokens = min(found), 0, []
    for token in output.tokens:
        if length >= end:
            break
        length += len(token.text)
        tokens.append(token if length <= end else replace(token, text=token.text[: len(token.text) - (length - end)]))
    return replace(
        output,
        text=output.text[:end],
        tokens=tokens,
        logprob=sum([token.logprob for token in tokens]),
        finish_reason={"reason": "stop"},
    )
