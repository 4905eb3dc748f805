"""What a request may cost at the most, before it is sent."""

import contextvars
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from helm.common.request import Request

_TOKENS_AROUND = 16
"""What a chat template puts around a message, and the request, at the most."""
_TOKENS_PER_MEDIUM = 4096
"""Of a picture or a sound; some providers count more, which the ledger learns from their answers."""


def most_tokens(request: Request) -> tuple[int, int]:
    """Upper bounds of the tokens of prompts and completions: a token has at least one byte of the prompt."""
    num_bytes, num_media = len(request.prompt.encode("utf-8", "replace")), 0
    num_parts = 1
    for message in request.messages or []:
        content = message.get("content")
        text = content if isinstance(content, str) else json.dumps(content, default=str)
        num_bytes, num_parts = num_bytes + len(text.encode("utf-8", "replace")), num_parts + 1
    for media in request.multimodal_prompt.media_objects if request.multimodal_prompt else []:
        if media.text is None:
            num_media += 1
        else:
            num_bytes += len(media.text.encode("utf-8", "replace"))
        num_parts += 1
    if request.tools:
        num_bytes += len(json.dumps(request.tools, default=str))
    prompt_tokens = num_bytes + num_parts * _TOKENS_AROUND + num_media * _TOKENS_PER_MEDIUM
    number = max(1, request.num_completions)  # some providers are asked for them one by one
    return prompt_tokens * number, 0 if request.embedding else max(0, request.max_tokens) * number


class Charge:
    """A request that is being made, and the room that it takes in the budget while it is on its way."""

    __slots__ = ("batch_share", "cost", "deployment", "is_held", "is_sent", "request", "tokens")

    def __init__(self, request: Request):
        self.request = request
        self.deployment = request.model_deployment
        self.is_held = False
        self.is_sent = False
        """To a provider, which may charge for it."""
        self.cost = 0.0
        """US dollars at the most, once `is_held`."""
        self.tokens = (0, 0)
        """Of prompt and completions, in the same way."""
        self.batch_share: float | None = None
        """What the provider takes for it, as a share of the usual price, when it came with a batch."""


_current: contextvars.ContextVar[Charge | None] = contextvars.ContextVar("helm_charge", default=None)


def current_charge() -> Charge | None:
    """That of the request which this thread is making; None: nobody counts it."""
    return _current.get()


@contextmanager
def charging(charge: Charge, at_end: Callable[[Charge], Any] | None = None) -> Iterator[None]:
    """Inside, what this thread sends is sent for this request. Behind the block, `at_end` is called with it."""
    token = _current.set(charge)
    try:
        yield
    finally:
        _current.reset(token)
        if at_end is not None:
            at_end(charge)
