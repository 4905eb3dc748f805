"""Reka's models, by their chat protocol."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS
from helm.clients.protocols.openai_protocol import image_url
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.media_object import TEXT_TYPE
from helm.common.request import GeneratedOutput, Request, Usage
from helm.common.request_options import EXTRA_BODY, SEED, TOP_P

_FINISH_REASONS = {"stop": "stop", "length": "length"}


class RekaClient(TextAPIClient):
    """`POST /v1/chat`, once for each completion.

    Args:
        tokenizer, tokenizer_name: not needed; HELM passes them.
    """

    BASE_URL = "https://api.reka.ai"
    KEY_VARIABLE = "REKA_API_KEY"
    CREDENTIAL = "rekaApiKey"
    KEY_HEADER = ("X-Api-Key", "{key}")
    GIVES_MANY = False
    lacks = NO_PROMPT_LOGPROBS
    takes_options = frozenset((TOP_P, SEED, EXTRA_BODY))
    sends_messages = True

    def __init__(
        self,
        tokenizer: Any = None,
        tokenizer_name: str | None = None,
        cache_config: CacheConfig | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url)

    def _path(self, request: Request) -> str:
        return "v1/chat"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "model": request.model_engine,
            "messages": self._messages(request),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stop": request.stop_sequences,
            "top_p": request.top_p,
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
        }
        if request.random is not None and request.random.isdigit():
            raw["seed"] = int(request.random)
        return raw

    def _messages(self, request: Request) -> list[Any]:
        if request.messages:
            return request.messages
        if request.multimodal_prompt is None:
            return [{"role": "user", "content": request.prompt}]
        content: list[dict[str, Any]] = []
        for media in request.multimodal_prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                content.append({"type": "text", "text": media.text})
            else:
                content.append({"type": f"{media.type}_url", f"{media.type}_url": image_url(media)})
        return [{"role": "user", "content": content}]

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        outputs = []
        for answer in response["responses"]:
            reason = str(answer.get("finish_reason"))
            text = answer["message"]["content"]
            outputs.append(
                GeneratedOutput(
                    text.strip() if isinstance(text, str) else text,
                    logprob=0,
                    tokens=[],
                    finish_reason={"reason": _FINISH_REASONS.get(reason, reason)},
                )
            )
        return outputs

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        usage = response.get("usage") or {}
        if not all(isinstance(usage.get(f"{kind}_tokens"), int) for kind in ("input", "output")):
            return None
        return Usage(usage["input_tokens"], usage["output_tokens"])
