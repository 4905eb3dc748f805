"""Aleph Alpha's models."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.client import generate_uid_for_multimodal_prompt
from helm.clients.protocols.openai_protocol import base64_of
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request import GeneratedOutput, Request, Token, Usage

_FINISH_REASONS = {"maximum_tokens": "length", "end_of_text": "endoftext", "stop_sequence_reached": "stop"}


class AlephAlphaClient(TextAPIClient):
    """`POST /complete`, with log-probabilities. Prompts may hold pictures.

    Args:
        tokenizer, tokenizer_name: not needed; HELM passes them.
    """

    BASE_URL = "https://api.aleph-alpha.com"
    KEY_VARIABLE = "ALEPH_ALPHA_API_KEY"
    CREDENTIAL = "AlephAlphaApiKey"
    TOP_K_FIELD = "top_k"

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
        return "complete"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        return {
            "model": request.model_engine,
            "prompt": self._prompt(request),
            "maximum_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_k": request.top_k_per_token,
            "top_p": request.top_p,
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
            "n": num_completions,
            "stop_sequences": request.stop_sequences,
            "log_probs": 1,
            "echo": request.echo_prompt,
            "tokens": True,
        }

    def _prompt(self, request: Request) -> str | list[dict[str, Any]]:
        if request.multimodal_prompt is None:
            return self._text_prompt(request)
        return self._items(request.multimodal_prompt)

    def _items(self, prompt: MultimediaObject) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        for media in prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                items.append({"type": "text", "data": media.text})
            elif media.is_type(IMAGE_TYPE) and media.is_local_file:
                items.append({"type": "image", "data": base64_of(media), "controls": []})
            else:
                raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there")
        return items

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        key = super()._cache_key(raw, request, num_there)
        if request.multimodal_prompt is not None:
            key["prompt"] = generate_uid_for_multimodal_prompt(request.multimodal_prompt)
        return key

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        outputs = []
        for completion in response["completions"]:
            texts, logprobs = completion.get("completion_tokens") or [], completion.get("log_probs") or []
            tokens = [
                Token(text=text, logprob=float((probs or {}).get(text) or 0.0))
                for text, probs in zip(texts, logprobs, strict=True)
            ]
            reason = str(completion.get("finish_reason"))
            outputs.append(
                GeneratedOutput(
                    text=completion["completion"],
                    logprob=sum([token.logprob for token in tokens]),
                    tokens=tokens,
                    finish_reason={"reason": _FINISH_REASONS.get(reason, reason)},
                )
            )
        return outputs

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        prompt, completion = response.get("num_tokens_prompt_total"), response.get("num_tokens_generated")
        return Usage(prompt, completion) if isinstance(prompt, int) and isinstance(completion, int) else None
