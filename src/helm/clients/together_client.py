"""Open models at Together AI."""

from collections.abc import Mapping
from typing import Any

from helm.clients.http.http_client import Reading
from helm.clients.openai_client import OpenAILegacyCompletionsClient
from helm.clients.protocols.chat_completions_client import ChatCompletionsClient
from helm.clients.protocols.openai_protocol import COMPLETIONS_ROUTE, read_tokens
from helm.common.cache import CacheConfig
from helm.common.request import MALFORMED, Request, Token
from helm.common.request_options import CHAT_TEMPLATE_KWARGS, REASONING_EFFORT

TOGETHER_BASE_URL = "https://api.together.xyz/v1"


class TogetherChatClient(ChatCompletionsClient):
    """The chat route, with log-probabilities.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$TOGETHER_API_KEY`.
        together_model: Together's name of the model; None means the name in the catalogue.
        disable_logprobs: whether to request no log-probabilities.
        output_processor: full name of a function that is applied to every answer.
        parse_thinking: whether the contents of `<think>` tags are removed from the answer. Stop sequences then apply to the
            answer only.
        base_url: the address; None means Together's own.
    """

    BASE_URL = TOGETHER_BASE_URL
    KEY_VARIABLE = "TOGETHER_API_KEY"
    CREDENTIAL = "togetherApiKey"
    NAMES_WHOLE_MODEL = True
    STRICT_SCHEMAS = False
    takes_options = ChatCompletionsClient.takes_options | {REASONING_EFFORT, CHAT_TEMPLATE_KWARGS}
    TOP_K_FIELD = "top_k"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        together_model: str | None = None,
        disable_logprobs: bool | None = None,
        output_processor: str | None = None,
        parse_thinking: bool | None = None,
        base_url: str | None = None,
    ):
        super().__init__(
            cache_config,
            api_key=api_key,
            base_url=base_url,
            model_name=together_model,
            output_processor=output_processor,
            splits_thinking=bool(parse_thinking),
        )
        self._asks_logprobs = not disable_logprobs

    def _raw_request(self, request: Request) -> dict[str, Any]:
        return self.convert_to_raw_chat_request(request)

    def convert_to_raw_chat_request(self, request: Request) -> dict[str, Any]:
        """Return the body of a request, which is also its cache key; subclasses may change it."""
        raw: dict[str, Any] = {
            "messages": self._messages(request),
            "model": self._model_of(request),
            "max_tokens": request.max_tokens,
            "stop": [] if self._splits_thinking else request.stop_sequences,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "top_k": request.top_k_per_token,
            "n": request.num_completions,
        }
        if self._asks_logprobs:
            raw["logprobs"] = 1
        return {**raw, **self._extras(request)}


class TogetherCompletionClient(OpenAILegacyCompletionsClient):
    """The completions route, for models without a chat template. It can return the log-probabilities of the prompt.

    For the arguments, see TogetherChatClient.
    """

    TOP_K_FIELD = "top_k"
    BATCH_PRICE_SHARE = None
    BASE_URL = TOGETHER_BASE_URL
    KEY_VARIABLE = "TOGETHER_API_KEY"
    CREDENTIAL = "togetherApiKey"
    NAMES_WHOLE_MODEL = True

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        together_model: str | None = None,
        disable_logprobs: bool | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key=api_key, base_url=base_url, openai_model_name=together_model)
        self._asks_logprobs = not disable_logprobs

    def _raw_request(self, request: Request) -> dict[str, Any]:
        return self.convert_to_raw_completion_request(request)

    def convert_to_raw_completion_request(self, request: Request) -> dict[str, Any]:
        """Return the body of a request, which is also its cache key; subclasses may change it."""
        raw = super()._raw_request(request)
        for name in ("best_of", "presence_penalty", "frequency_penalty", "logprobs"):
            del raw[name]
        raw.update(top_k=request.top_k_per_token, stop=request.stop_sequences)
        if self._asks_logprobs:
            raw["logprobs"] = 1
        return raw

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        """Read an answer; Together returns an echoed prompt separately from the completions."""
        prompts = response.get("prompt")
        if not request.echo_prompt or not isinstance(prompts, list) or not prompts:
            return super()._read(request, response)
        try:
            tokens = read_tokens(COMPLETIONS_ROUTE, prompts[0])
            text = str(prompts[0]["text"])
        except (TypeError, KeyError, ValueError, AttributeError) as e:
            raise self.endpoint.failure(MALFORMED, COMPLETIONS_ROUTE, f"the echoed prompt is malformed: {e!r}") from e
        choices = [
            _behind_prompt(text, tokens, choice, read_tokens(COMPLETIONS_ROUTE, choice))
            for choice in response["choices"]
        ]
        return super()._read(request, {**response, "choices": choices})


def _behind_prompt(
    text: str, tokens: list[Token], choice: Mapping[str, Any], own_tokens: list[Token]
) -> dict[str, Any]:
    both = [*tokens, *own_tokens]
    logprobs = {"tokens": [t.text for t in both], "token_logprobs": [t.logprob for t in both]}
    return {**choice, "text": text + choice["text"], "logprobs": logprobs}


class TogetherClient(TogetherCompletionClient):
    """The class that HELM's older deployments name. Its route at Together is gone, so it uses the completions route."""

    def __init__(
        self,
        cache_config: CacheConfig | None,
        together_model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key=api_key, together_model=together_model, base_url=base_url)
