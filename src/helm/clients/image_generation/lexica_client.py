"""Lexica's search for pictures that Stable Diffusion made of similar prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote_plus

from helm.clients.http.http_client import Call
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.image_generation.image_making_client import ImageMakingClient
from helm.clients.image_generation.offline_images_client import TODAY
from helm.clients.image_generation.received_pictures import Received
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.file_caches.file_cache import FileCache
from helm.common.request import REFUSED, Request, RequestResult
from helm.common.sending import BatchSlot, Sent

_ENGINE = "search-stable-diffusion-1.5"


class LexicaClient(ImageMakingClient):
    """`GET /api/v1/search`: the first pictures that are found, stored as they are.

    HELM asked this route in 2022 and 2023, without a key. Lexica promises it to nobody.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        base_url: the address; None means Lexica's own.
    """

    BASE_URL = "https://lexica.art/api/v1"
    MOST_IMAGES = 1 << 30
    KEEPS_ROUTE = False
    takes_options = frozenset()

    def __init__(self, cache_config: CacheConfig | None, file_cache: FileCache, base_url: str | None = None):
        super().__init__(cache_config, HTTPEndpoint(base_url or self.BASE_URL), usual_url=self.BASE_URL)
        self.file_cache = file_cache

    def make_request(self, request: Request) -> RequestResult:
        result = super().make_request(request)
        if result.success or result.outcome != REFUSED:
            return result
        return replace(result, error=f"{result.error} Lexica promises this search, of 2022, to nobody. {TODAY}")

    def _path(self, request: Request) -> str:
        return f"search?q={quote_plus(request.prompt)}"

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        if request.model_engine != _ENGINE:
            raise ConfigError(f"Lexica has the model {_ENGINE}, not {request.model_engine}.")
        return {"model": request.model_engine, "prompt": request.prompt, "n": num_images}

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        return [Received(url=image["src"]) for image in answer["images"]]

    def _check(self, path: str, num_images: int, answer: Any) -> None:
        super()._check(path, num_images, answer)
        if len(answer["images"]) < num_images:
            raise self._refusal(
                f"{len(answer['images'])} pictures were found, and {num_images} are asked for", "search"
            )

    def _send(self, call: Call, slot: BatchSlot | None) -> Sent:
        sent = self.endpoint.send("GET", call.route, None, call.check)
        wanted = {"images": sent.value["images"][: call.key["n"]]}
        return Sent(self._kept(call, wanted), sent.began_at, sent.seconds)

    def _cached_form(self, answer: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        return {"image_locations": [picture["file_path"] for picture in kept]}

    def _read_cached(self, response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return [{"file_path": path} for path in response["image_locations"]]
