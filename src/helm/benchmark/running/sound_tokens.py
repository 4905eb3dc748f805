"""Estimates how many tokens a model counts for a sound, from its length, as providers publish it."""

import math
import re
from collections.abc import Sequence

from helm.common.data.sounds import SoundError, seconds_of
from helm.common.media_object import AUDIO_TYPE, MediaObject
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.common.request import Request

USUAL_SECONDS = 10.0
"""The length that is assumed for sounds at addresses, and for formats that cannot be read here."""

_RULES: Sequence[tuple[str, float]] = (
    (r"gemini", 32),
    (r"gpt-4o|gpt-audio|gpt-realtime", 10),
    (r"voxtral|mistral", 12.5),
    (r"whisper", 0),  # its prices are for minutes
)
"""Patterns of model names, and tokens for a second; the first that fits decides."""
_OTHERS = 25.0


def tokens_per_second(model: str) -> float:
    """Return how many tokens a model counts for a second of sound."""
    return next((rate for pattern, rate in _RULES if re.search(pattern, model.lower())), _OTHERS)


def sound_tokens(requests: Sequence[Request]) -> int | None:
    """Return the tokens of all sounds in prompts; None if there are none."""
    lengths: dict[str, float] = {}
    total, number = 0, 0
    for request in requests:
        for part in request.multimodal_prompt.media_objects if request.multimodal_prompt is not None else []:
            if part.is_type(AUDIO_TYPE):
                location = str(part.location)
                if location not in lengths:
                    lengths[location] = _length(part)
                total += math.ceil(lengths[location] * tokens_per_second(request.model))
                number += 1
    return total if number else None


def _length(part: MediaObject) -> float:
    if not part.is_local_file:
        return USUAL_SECONDS
    try:
        return seconds_of(str(part.location))
    except (SoundError, OSError, OptionalDependencyNotInstalled):
        return USUAL_SECONDS
