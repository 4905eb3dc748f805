"""Stability AI's hosted models."""

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from helm.clients.http.http_client import Call, ProviderClient, Upload
from helm.clients.image_generation.image_making_client import GUIDANCE, ImageMakingClient
from helm.clients.image_generation.received_pictures import Received, aspect_ratio_of, from_base64
from helm.common.cache import CacheConfig
from helm.common.file_caches.file_cache import FileCache
from helm.common.request import Request

_RATIOS = ("16:9", "1:1", "21:9", "2:3", "3:2", "4:5", "5:4", "9:16", "9:21")
_SERVICES = {"stable-image-ultra": "ultra", "stable-image-core": "core"}
"""The last part of the route by the model; all other models are served by `sd3`, and named in the request."""
_REFUSED = ("CONTENT_FILTERED",)


class StabilityClient(ImageMakingClient, ProviderClient):
    """`POST /v2beta/stable-image/generate/{ultra,core,sd3}`, once for each picture.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        api_key: the key; None reads `$STABILITY_API_KEY`.
        stability_model: Stability's name of the model; None means the second part of the model's name.
        arguments: further fields of each request: `negative_prompt`, `output_format`, `style_preset`, ...
        base_url: the address; None means Stability's own.
    """

    BASE_URL = "https://api.stability.ai"
    KEY_VARIABLE = "STABILITY_API_KEY"
    CREDENTIAL = "stabilityaiApiKey"
    PARAMETER_FIELDS = {GUIDANCE: "cfg_scale"}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        api_key: str | None = None,
        stability_model: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url)
        self.file_cache = file_cache
        self.model_name = stability_model
        self.arguments = dict(arguments or {})

    def _path(self, request: Request) -> str:
        return f"v2beta/stable-image/generate/{_SERVICES.get(self._model(request), 'sd3')}"

    def _model(self, request: Request) -> str:
        return self.model_name or request.model_engine

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        ratio = aspect_ratio_of(parameters, _RATIOS, request.model)
        model = self._model(request)
        return {
            "prompt": request.prompt,
            "output_format": "png",
            **({} if model in _SERVICES else {"model": model}),
            **({"aspect_ratio": ratio} if ratio else {}),
            **self._parameter_values(parameters),
            **self.arguments,
        }

    def _call(self, request: Request, num_images: int, num_there: int) -> Call:
        call = super()._call(request, num_images, num_there)
        assert isinstance(call.body, Mapping)
        return call._replace(body=partial(multipart_form, call.body))

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        reason = answer.get("finish_reason")
        if reason in _REFUSED:
            return [Received(reason=str(reason))]
        return [Received(data=from_base64(answer["image"]))]


def multipart_form(fields: Mapping[str, Any]) -> Upload:
    """Return fields as the body of a form that could also hold files."""
    boundary = secrets.token_hex(16)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    body = "".join(parts) + f"--{boundary}--\r\n"
    return Upload(body.encode("utf-8"), f"multipart/form-data; boundary={boundary}")
