"""OpenAI's models that make pictures, and other servers with the route `/v1/images/generations`."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.address_keys import BASE_URL_VARIABLE, key_from_environment
from helm.clients.http.http_client import ProviderClient
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.image_generation.image_making_client import GUIDANCE, STEPS, ImageMakingClient
from helm.clients.image_generation.received_pictures import Received, from_base64, from_base64_or_url, size_of
from helm.clients.openai_client import OPENAI_BASE_URL
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.file_caches.file_cache import FileCache
from helm.common.request import Request
from helm.common.request_options import SEED

ROUTE = "images/generations"


class OpenAIImagesProtocol(ImageMakingClient):
    """What servers with this route have in common."""

    MOST_IMAGES = 10
    model_name: str | None = None
    arguments: Mapping[str, Any] = {}

    def _path(self, request: Request) -> str:
        return ROUTE

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        raw = {"model": self.model_name or request.model_engine, "prompt": request.prompt, "n": num_images}
        size = size_of(parameters)
        if size is not None:
            raw["size"] = f"{size[0]}x{size[1]}"
        return {**raw, **self._parameter_values(parameters), **self.arguments}

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        return [_read_picture(row) for row in answer["data"]]


def _read_picture(row: Mapping[str, Any]) -> Received:
    text = str(row.get("revised_prompt") or "")
    if row.get("b64_json"):
        return Received(data=from_base64(row["b64_json"]), text=text)
    return from_base64_or_url(row["url"])._replace(text=text)


class OpenAIImagesClient(OpenAIImagesProtocol, ProviderClient):
    """OpenAI's GPT Image models. There is no seed, guidance or number of steps.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        api_key: the key; None reads `$OPENAI_API_KEY`.
        org_id: the organization that pays.
        openai_model_name: OpenAI's name of the model; None means the second part of the model's name.
        arguments: further fields of each request: `quality`, `background`, `output_format`, `moderation`, ...
        base_url: the address; None means OpenAI's own.
    """

    BASE_URL = OPENAI_BASE_URL
    KEY_VARIABLE = "OPENAI_API_KEY"
    CREDENTIAL = "openaiApiKey"
    takes_options = OpenAIImagesProtocol.takes_options - {SEED}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        api_key: str | None = None,
        org_id: str | None = None,
        openai_model_name: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url, {"OpenAI-Organization": org_id} if org_id else None)
        self.file_cache = file_cache
        self.model_name = openai_model_name
        self.arguments = dict(arguments or {})


class OpenAICompatibleImagesClient(OpenAIImagesProtocol):
    """Any server with `POST {base_url}/images/generations`, on this machine or elsewhere.

    If a server ignores `n`, further requests are sent. Pictures come in base64 if the server can do that, else by address.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        base_url: the URL of the route, for example `http://localhost:8000/v1`; None reads `$OPENAI_BASE_URL`.
        api_key: the bearer token; None reads the environment, as for servers that make texts; empty sends none.
        openai_model_name: the server's name of the model; None means the second part of the model's name.
        arguments: further fields of each request.
        parameter_fields: the server's names of `guidance_scale` and `diffusion_denoising_steps`.

    Raises:
        ConfigError: There is no address.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        base_url: str | None = None,
        api_key: str | None = None,
        openai_model_name: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        parameter_fields: Mapping[str, str] | None = None,
    ):
        base_url = base_url or os.environ.get(BASE_URL_VARIABLE)
        if not base_url:
            raise ConfigError(
                f"A server that makes pictures needs base_url, or the environment variable {BASE_URL_VARIABLE}."
            )
        key = (key_from_environment(base_url) or "") if api_key is None else api_key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        super().__init__(cache_config, HTTPEndpoint(base_url, headers, secret=key))
        self._key_extras = {"base_url": self.endpoint.public_url}
        self.file_cache = file_cache
        self.model_name = openai_model_name
        self.arguments = {"response_format": "b64_json", **(arguments or {})}
        self.PARAMETER_FIELDS = {GUIDANCE: "guidance_scale", STEPS: "num_inference_steps", **(parameter_fields or {})}
