"""`RequestOptions`: what a request asks of today's chat and reasoning models, beyond the fields that HELM has."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TOP_P = "top_p"
RESPONSE_FORMAT = "response_format"
SEED = "seed"
REASONING_EFFORT = "reasoning_effort"
EXTRA_BODY = "extra_body"
CHAT_TEMPLATE_KWARGS = "chat_template_kwargs"
PLAIN_PROMPT = "plain_prompt"

OPTION_NAMES = (TOP_P, RESPONSE_FORMAT, SEED, REASONING_EFFORT, EXTRA_BODY, CHAT_TEMPLATE_KWARGS, PLAIN_PROMPT)
"""Everything that a client may be unable to send, so that a request for it is refused instead."""

REASONING_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

THINKING_TOKENS = {"minimal": 1024, "low": 2048, "medium": 8192, "high": 24576, "xhigh": 32768, "max": 49152}
"""Thinking budgets in tokens, for providers that take a number of tokens instead of an effort."""


@dataclass(frozen=True)
class RequestOptions:
    """Options of a request. A field that is None is not sent.

    A request that has options, even empty ones, is sent without HELM's `top_k_per_token`, which would make providers with
    a `top_k` decode greedily at any temperature.
    """

    seed: int | None = None
    """The seed of the provider's sampling. Further completions and repetitions of a request use the next numbers."""

    reasoning_effort: str | None = None
    """How long a reasoning model thinks: one of `REASONING_EFFORTS`, or a word of the provider's own."""

    extra_body: dict[str, Any] | None = field(default=None, hash=False)
    """Fields that are merged into the body of the request as they are, objects field by field."""

    chat_template_kwargs: dict[str, Any] | None = field(default=None, hash=False)
    """Variables of the model's chat template, such as `{"enable_thinking": false}`."""

    plain_prompt: bool | None = None
    """Whether the prompt is continued as it is, without a chat template: by the completions endpoint of a server."""

    split_thinking: bool | None = None
    """Whether `<think>...</think>` in front of the answer is taken out of it, into `GeneratedOutput.thinking`."""


def merged(body: Mapping[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    """Return `body` with the fields of `further`; objects under the same key are merged, other values replaced."""
    result = dict(body)
    for key, value in further.items():
        mine = result.get(key)
        result[key] = merged(mine, value) if isinstance(mine, Mapping) and isinstance(value, Mapping) else value
    return result
