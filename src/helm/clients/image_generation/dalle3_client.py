"""DALL-E 3."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from helm.clients.image_generation.dalle2_client import DALLE2Client
from helm.common.errors import ConfigError
from helm.common.request import Request

_QUALITY_AND_STYLE = {
    "dall-e-3": ("standard", "vivid"),
    "dall-e-3-natural": ("standard", "natural"),
    "dall-e-3-hd": ("hd", "vivid"),
    "dall-e-3-hd-natural": ("hd", "natural"),
}
"""By the second part of the model's name."""


class DALLE3Client(DALLE2Client):
    """DALL-E 3, one request for each picture; a completion's text is the prompt as DALL-E rewrote it.

    For the arguments, and since when OpenAI has it no more, see DALLE2Client.
    """

    MOST_IMAGES = 1
    VALID_IMAGE_SIZES: ClassVar[list[str]] = ["1024x1024", "1792x1024", "1024x1792"]
    DEFAULT_IMAGE_SIZE_STR: ClassVar[str] = "1024x1024"

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        if request.model_engine not in _QUALITY_AND_STYLE:
            raise ConfigError(f"Invalid DALL-E 3 model: {request.model_engine}")
        quality, style = _QUALITY_AND_STYLE[request.model_engine]
        raw = super()._raw_request(request, num_images)
        return {**raw, "model": "dall-e-3", "quality": quality, "style": style}

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        return {**super()._cache_key(raw, request, num_there), "model": raw["model"]}

    def _read_cached(self, response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return [{"file_path": row["file_path"], "text": row.get("revised_prompt")} for row in response["data"]]
