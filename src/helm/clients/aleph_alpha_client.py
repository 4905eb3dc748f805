"""Aleph Alpha's models."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request, Token, Usage

_FINISH_REASONS = {"maximum_tokens": "length", "end_of_text": "endoftext", "stop_sequence_reached": "stop"}


class AlephAlphaClient(TextAPIClient):
    """`POST /complete`, with log-probabilities.

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
            "prompt": self._text_prompt(request),
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
