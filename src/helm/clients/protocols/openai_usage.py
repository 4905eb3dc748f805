"""Reads the token counts in a response of OpenAI, or of a server with the same protocol."""

from collections.abc import Mapping
from typing import Any

from helm.common.request import Usage

_PLAIN = frozenset(("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "total_tokens"))
"""The names that say nothing about reasoning and caches."""


def read_usage(response: Mapping[str, Any]) -> Usage | None:
    """Return the token counts of the provider; None if they are missing or make no sense.

    Most providers count reasoning as part of the completion; where it is not (xAI), the total reveals it, and it is added.
    """
    usage = response.get("usage")
    if not isinstance(usage, dict):
        return None
    prompt = _count(usage, "prompt_tokens", "input_tokens")
    completion = _count(usage, "completion_tokens", "output_tokens")
    if prompt is None or completion is None:
        return None
    if usage.keys() <= _PLAIN:
        return Usage(prompt, completion)
    completion_details = _details(usage, "completion_tokens_details", "output_tokens_details")
    prompt_details = _details(usage, "prompt_tokens_details", "input_tokens_details")
    reasoning = _count(completion_details, "reasoning_tokens")
    if reasoning and (reasoning > completion or _count(usage, "total_tokens") == prompt + completion + reasoning):
        completion += reasoning
    cached = _count(prompt_details, "cached_tokens")
    if cached is None:
        cached = _count(usage, "prompt_cache_hit_tokens", "cached_tokens")  # DeepSeek and others
    return Usage(prompt, completion, reasoning, cached, _count(prompt_details, "cache_write_tokens"))


def _details(usage: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    """Return the first of the named fields that is an object, else an empty object."""
    return next((usage[name] for name in names if isinstance(usage.get(name), dict)), {})


def _count(counts: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = counts.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
