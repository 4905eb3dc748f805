"""Estimates how many tokens a model counts for a picture, from its size, as providers publish it."""

import math
import re
from collections.abc import Callable, Sequence

from helm.common.data.pictures import PictureError, size_of
from helm.common.media_object import IMAGE_TYPE, MediaObject
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.common.request import Request

USUAL_SIZE = (1024, 768)
"""Width and height that are assumed for pictures at addresses, and for all of them without the extra `images`."""


def _fitted(width: float, height: float, longest: float) -> tuple[float, float]:
    """Return the size after shrinking a picture until its longer side is at most `longest` pixels."""
    scale = min(1.0, longest / max(width, height))
    return width * scale, height * scale


def _tiles(base: int, each: int) -> Callable[[int, int], float]:
    """OpenAI's: the picture fits into 2048 pixels, then its shorter side into 768, and tiles have 512 pixels."""

    def count(width: int, height: int) -> float:
        fitted = _fitted(width, height, 2048)
        scale = min(1.0, 768 / min(fitted))
        return base + each * math.prod(math.ceil(round(side * scale, 6) / 512) for side in fitted)

    return count


def _patches(factor: float) -> Callable[[int, int], float]:
    """OpenAI's smaller models: patches of 32 pixels, at most 1536 after shrinking, times a factor."""

    def count(width: int, height: int) -> float:
        return factor * min(1536, math.ceil(width / 32) * math.ceil(height / 32))

    return count


def _claude(width: int, height: int) -> float:
    return min(1600.0, math.prod(_fitted(width, height, 1568)) / 750)


def _gemini(width: int, height: int) -> float:
    if max(width, height) <= 384:
        return 258
    unit = min(768, max(256, math.floor(min(width, height) / 1.5)))
    return 258 * math.ceil(width / unit) * math.ceil(height / unit)


def _grid(pixels: int, longest: float, breaks: bool = False) -> Callable[[int, int], float]:
    """One token for each square of so many pixels, after shrinking; with `breaks` also one for each row."""

    def count(width: int, height: int) -> float:
        columns, rows = (math.ceil(side / pixels) for side in _fitted(width, height, longest))
        return rows * (columns + breaks)

    return count


_RULES: Sequence[tuple[str, Callable[[int, int], float]]] = (
    (r"gpt-(4\.1|5)[\w.]*-mini", _patches(1.62)),
    (r"gpt-(4\.1|5)[\w.]*-nano", _patches(2.46)),
    (r"\bo4-mini", _patches(1.72)),
    (r"gpt-4o-mini", _tiles(2833, 5667)),
    (r"gpt-5", _tiles(70, 140)),
    (r"\bo[13]\b", _tiles(75, 150)),
    (r"claude", _claude),
    (r"gemini", _gemini),
    (r"qwen2(\.5)?-vl", _grid(28, 3584)),
    (r"qwen", _grid(32, 4096)),
    (r"pixtral|mistral|ministral", _grid(16, 1540, breaks=True)),
    (r"paligemma.*448", lambda width, height: 1024),
    (r"paligemma", lambda width, height: 256),
    (r"llava-1\.5|bakllava|prometheus-vision", lambda width, height: 576),
    (r"idefics", lambda width, height: 64),
)
"""Patterns of model names and how their tokens are counted; the first that fits decides. Others: as for GPT-4o."""
_OTHERS = _tiles(85, 170)


def tokens_of_size(model: str, width: int, height: int) -> int:
    """Return the tokens of a picture with this many pixels."""
    count = next((count for pattern, count in _RULES if re.search(pattern, model.lower())), _OTHERS)
    return math.ceil(count(width, height))


def picture_tokens(requests: Sequence[Request]) -> int | None:
    """Return the tokens of all pictures in prompts; None if there are none."""
    sizes: dict[str, tuple[int, int]] = {}
    total, number = 0, 0
    for request in requests:
        for part in request.multimodal_prompt.media_objects if request.multimodal_prompt is not None else []:
            if part.is_type(IMAGE_TYPE):
                location = str(part.location)
                if location not in sizes:
                    sizes[location] = _size(part)
                total += tokens_of_size(request.model, *sizes[location])
                number += 1
    return total if number else None


def _size(part: MediaObject) -> tuple[int, int]:
    if not part.is_local_file:
        return USUAL_SIZE
    try:
        return size_of(str(part.location))
    except (PictureError, OSError, OptionalDependencyNotInstalled):
        return USUAL_SIZE
