"""Google's models that make pictures, at Google's developer API or at Vertex AI."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from helm.clients.google_genai_client import FILTER_REASONS, GoogleGenAIClient, read_usage_metadata
from helm.clients.http.http_client import Call
from helm.clients.http.request_failure import shortened
from helm.clients.image_generation.image_making_client import ImageMakingClient
from helm.clients.image_generation.received_pictures import Received, aspect_ratio_of, from_base64
from helm.common.cache import CacheConfig
from helm.common.file_caches.file_cache import FileCache
from helm.common.request import Request, Usage
from helm.common.request_options import SEED

_GEMINI_RATIOS = ("1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9")
_WITHHELD = "Google's filter withheld the picture"
_ABOUT_THE_MODEL = {"deployedModelId", "model", "modelDisplayName", "modelVersionId", "metadata"}
"""What an answer of Imagen may hold beside predictions."""
_IMAGEN_RATIOS = ("1:1", "3:4", "4:3", "9:16", "16:9")


class GoogleImagesClient(ImageMakingClient):
    """What the two routes have in common.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        api_key: the key of the developer API; None reads `$GEMINI_API_KEY` or `$GOOGLE_API_KEY`.
        project_id, location: the project and location at Vertex AI.
        genai_model: Google's name of the model; None means the second part of the model's name.
        genai_use_vertexai: whether to use Vertex AI; None uses it if there is a project and no key.
        base_url: the address; None means Google's own.
        arguments: further fields of `imageConfig` (Gemini) or `parameters` (Imagen): `imageSize`, `personGeneration`, ...
    """

    METHOD_NAME: ClassVar[str] = ""
    """What follows the model in the route."""

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        api_key: str | None = None,
        project_id: str | None = None,
        location: str | None = None,
        genai_model: str | None = None,
        genai_use_vertexai: bool | None = None,
        base_url: str | None = None,
        arguments: Mapping[str, Any] | None = None,
    ):
        # Addresses, keys and routes are those of Google's models that make texts.
        self._google = GoogleGenAIClient(
            cache_config,
            api_key=api_key,
            project_id=project_id,
            location=location,
            genai_model=genai_model,
            genai_use_vertexai=genai_use_vertexai,
            base_url=base_url,
        )
        super().__init__(cache_config, self._google.endpoint, self._google.missing_key)
        self._key_extras = self._google._key_extras
        self.file_cache = file_cache
        self.arguments = dict(arguments or {})

    def _path(self, request: Request) -> str:
        return f"{self._google._route(request).rpartition(':')[0]}:{self.METHOD_NAME}"

    def _call(self, request: Request, num_images: int, num_there: int) -> Call:
        credentials = self._google._credentials
        call = super()._call(request, num_images, num_there)
        return call if credentials is None else call._replace(headers=credentials.headers)

    def _usage(self, answer: Mapping[str, Any]) -> Usage | None:
        return read_usage_metadata(answer)


class GeminiImagesClient(GoogleImagesClient):
    """`POST .../models/MODEL:generateContent`, once for each picture. For the arguments, see GoogleImagesClient."""

    METHOD_NAME = "generateContent"
    OPTION_FIELDS = {SEED: "generationConfig.seed"}

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        config: dict[str, Any] = {"responseModalities": ["IMAGE"], **self._parameter_values(parameters)}
        ratio = aspect_ratio_of(parameters, _GEMINI_RATIOS, request.model)
        image_config = {**({"aspectRatio": ratio} if ratio else {}), **self.arguments}
        if image_config:
            config["imageConfig"] = image_config
        return {"contents": [{"parts": [{"text": request.prompt}], "role": "user"}], "generationConfig": config}

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        blocked = (answer.get("promptFeedback") or {}).get("blockReason")
        if blocked:
            return [Received(reason=f"Google's filter blocked the prompt: {blocked}")]
        received = []
        for candidate in answer["candidates"]:
            parts = (candidate.get("content") or {}).get("parts") or []
            pictures = [
                Received(data=from_base64(part["inlineData"]["data"]))
                for part in parts
                if "inlineData" in part and not part.get("thought")
            ]
            if not pictures:
                pictures = [Received(reason=_why_refused(candidate.get("finishReason"), parts))]
            received.append(pictures[-1])
        return received


class ImagenClient(GoogleImagesClient):
    """`POST .../models/MODEL:predict`. Google announced the end of all Imagen models for the middle of 2026.

    For the arguments, see GoogleImagesClient.
    """

    MOST_IMAGES = 4
    METHOD_NAME = "predict"
    OPTION_FIELDS = {SEED: "parameters.seed"}

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        ratio = aspect_ratio_of(parameters, _IMAGEN_RATIOS, request.model)
        asked: dict[str, Any] = {"sampleCount": num_images, **self._parameter_values(parameters)}
        if ratio:
            asked["aspectRatio"] = ratio
        if request.seed_of(0) is not None:
            asked["addWatermark"] = False  # the service takes no seed for pictures with a watermark
        return {"instances": [{"prompt": request.prompt}], "parameters": {**asked, **self.arguments}}

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        rows = answer.get("predictions") or []
        if not rows:
            if not _ABOUT_THE_MODEL.issuperset(answer):
                raise ValueError("there are no predictions")
            return [Received(reason=_WITHHELD)]
        return [
            Received(data=from_base64(row["bytesBase64Encoded"]))
            if "bytesBase64Encoded" in row
            else Received(reason=f"{_WITHHELD}: {row['raiFilteredReason']}")
            for row in rows
        ]

    def _kept(self, call: Call, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Count what is missing as withheld, because that is how Google withholds pictures."""
        kept = super()._kept(call, answer)
        assert isinstance(call.body, Mapping)
        num_missing = call.body["parameters"]["sampleCount"] - len(kept["images"])
        return {**kept, "images": [*kept["images"], *[{"reason": _WITHHELD}] * num_missing]}


def _why_refused(reason: Any, parts: Sequence[Mapping[str, Any]]) -> str:
    """Return why a candidate has no picture. Raises: ValueError if that is no refusal, as when nothing was made."""
    said = " ".join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))
    is_declined = reason == "STOP" and said  # in words, as models do
    if not is_declined and str(reason).removeprefix("IMAGE_") not in FILTER_REASONS:
        raise ValueError(f"a candidate holds no picture, and its finishReason is {reason}")
    return f"{reason}: {shortened(said)}" if said else str(reason)
