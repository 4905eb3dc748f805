"""What a request may cost at most, before it is sent, and what of its result is paid for."""

import contextvars
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from helm.common.media_object import IMAGE_TYPE
from helm.common.request import Request

# The most tokens that a chat template adds to a message, and to the request.
_TOKENS_AROUND = 16
# The tokens of an image or a recording; some providers count more, which the ledger learns from their answers.
_TOKENS_PER_MEDIUM = 4096


def most_tokens(request: Request) -> tuple[int, int]:
    """Return upper bounds of the tokens of prompts and completions: each token covers at least one byte of the prompt."""
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
    number = max(1, request.num_completions)  # some providers need one request per completion
    return prompt_tokens * number, 0 if request.embedding else max(0, request.max_tokens) * number


def num_pictures_of(result: Any) -> int:
    """Return how many pictures a result holds."""
    number = 0
    for completion in getattr(result, "completions", ()):
        content = getattr(completion, "multimodal_content", None)
        if content:
            number += any(media.is_type(IMAGE_TYPE) for media in content.media_objects)
    return number


class Charge:
    """A request in progress, and the share of the budget that it occupies meanwhile."""

    __slots__ = ("batch_share", "cost", "deployment", "is_held", "is_sent", "request", "tokens")

    def __init__(self, request: Request):
        self.request = request
        self.deployment = request.model_deployment
        self.is_held = False
        self.is_sent = False
        """Whether it was sent to a provider, which may charge for it."""
        self.cost = 0.0
        """The most that it may cost in US dollars, once `is_held`."""
        self.tokens = (0, 0)
        """The most tokens of prompt and completions, once `is_held`."""
        self.batch_share: float | None = None
        """The price as a share of the usual price, if the request was part of a batch."""


_current: contextvars.ContextVar[Charge | None] = contextvars.ContextVar("helm_charge", default=None)


def current_charge() -> Charge | None:
    """Return the charge of the request that this thread is making; None if it is not counted."""
    return _current.get()


class charging(AbstractContextManager[None]):
    """Inside, what this thread sends is sent for this request. Behind the block, `at_end` is called with it.

    Every request needs one, so it is not a generator, which costs three times as much.
    """

    def __init__(self, charge: Charge, at_end: Callable[[Charge], Any] | None = None):
        self._charge, self._at_end = charge, at_end

    def __enter__(self) -> None:
        self._token = _current.set(self._charge)

    def __exit__(self, *exc_info: Any) -> None:
        _current.reset(self._token)
        if self._at_end is not None:
            self._at_end(self._charge)
