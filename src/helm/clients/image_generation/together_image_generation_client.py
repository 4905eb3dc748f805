"""Models at Together AI that make pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import ProviderClient
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.image_generation.image_making_client import GUIDANCE, STEPS, ImageMakingClient
from helm.clients.image_generation.openai_images_client import OpenAIImagesProtocol
from helm.clients.image_generation.received_pictures import Received, from_base64, size_of
from helm.clients.together_client import TOGETHER_BASE_URL
from helm.common.cache import CacheConfig
from helm.common.file_caches.file_cache import FileCache
from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.request import Request


class TogetherImageGenerationClient(ImageMakingClient):
    """The route that HELM asks, which takes no key. It is of 2022; for the route of today, see TogetherImagesClient.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        api_key: not sent, as in HELM.
        base_url: the address; None means Together's own.
    """

    DEFAULT_IMAGE_HEIGHT: int = 512
    DEFAULT_IMAGE_WIDTH: int = 512
    DEFAULT_GUIDANCE_SCALE: float = 7.5
    DEFAULT_STEPS: int = 50
    INFERENCE_ENDPOINT: str = "https://api.together.xyz/api/inference"

    MOST_IMAGES = 1 << 30
    KEEPS_ROUTE = False
    takes_options = frozenset()

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        api_key: str | None = None,
        base_url: str | None = None,
    ):
        endpoint = HTTPEndpoint(base_url or self.INFERENCE_ENDPOINT)
        super().__init__(cache_config, endpoint, usual_url=self.INFERENCE_ENDPOINT)
        self.file_cache = file_cache

    def _path(self, request: Request) -> str:
        return ""

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        return {
            "request_type": "image-model-inference",
            "model": request.model_engine,
            "prompt": request.prompt,
            "n": num_images,
            **together_parameters(
                request.image_generation_parameters,
                self.DEFAULT_GUIDANCE_SCALE,
                self.DEFAULT_STEPS,
                (self.DEFAULT_IMAGE_WIDTH, self.DEFAULT_IMAGE_HEIGHT),
            ),
        }

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        return [Received(data=from_base64(choice["image_base64"])) for choice in answer["output"]["choices"]]

    def _cached_form(self, answer: Mapping[str, Any], kept: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        choices = [
            {**{k: v for k, v in choice.items() if k != "image_base64"}, "file_path": picture["file_path"]}
            for choice, picture in zip(answer["output"]["choices"], kept, strict=True)
        ]
        return {**answer, "output": {**answer["output"], "choices": choices}}

    def _read_cached(self, response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        return [{"file_path": choice["file_path"]} for choice in response["output"]["choices"]]


def together_parameters(
    parameters: ImageGenerationParameters | None, guidance_scale: float, steps: int, size: tuple[int, int]
) -> dict[str, Any]:
    """Return a request's parameters with HELM's defaults for those that are missing."""
    asked = parameters or ImageGenerationParameters()
    width, height = asked.output_image_width, asked.output_image_height
    if width is None or height is None:  # HELM: a width alone has no effect
        width, height = size
    return {
        "guidance_scale": guidance_scale if asked.guidance_scale is None else asked.guidance_scale,
        "steps": steps if asked.diffusion_denoising_steps is None else asked.diffusion_denoising_steps,
        "width": width,
        "height": height,
    }


class TogetherImagesClient(OpenAIImagesProtocol, ProviderClient):
    """`POST /v1/images/generations` at Together, which takes sizes, steps, guidance and seeds.

    Args:
        cache_config: where answers are cached.
        file_cache: where pictures are stored.
        api_key: the key; None reads `$TOGETHER_API_KEY`.
        together_model: Together's name of the model; None means the name in the catalogue.
        arguments: further fields of each request.
        base_url: the address; None means Together's own.
    """

    BASE_URL = TOGETHER_BASE_URL
    KEY_VARIABLE = "TOGETHER_API_KEY"
    CREDENTIAL = "togetherApiKey"
    MOST_IMAGES = 4
    PARAMETER_FIELDS = {GUIDANCE: "guidance_scale", STEPS: "steps"}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        api_key: str | None = None,
        together_model: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url)
        self.file_cache = file_cache
        self.model_name = together_model
        self.arguments = {"response_format": "base64", **(arguments or {})}

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        raw = super()._raw_request(request, num_images)
        size = size_of(request.image_generation_parameters)
        if size is not None:
            del raw["size"]
            raw.update(width=size[0], height=size[1])
        return {**raw, "model": self.model_name or request.model}
