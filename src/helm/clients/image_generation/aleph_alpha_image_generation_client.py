"""Aleph Alpha's MultiFusion (m-vader), whose pictures Aleph Alpha made for HELM."""

from typing import Any

from helm.clients.image_generation.offline_images_client import TODAY, OfflineImagesClient
from helm.clients.image_generation.together_image_generation_client import together_parameters
from helm.common.errors import ConfigError
from helm.common.request import Request


class AlephAlphaImageGenerationClient(OfflineImagesClient):
    """Answers from a cache with pictures that Aleph Alpha made itself in 2023; this client never could ask a service."""

    DEFAULT_IMAGE_HEIGHT: int = 512
    DEFAULT_IMAGE_WIDTH: int = 512
    DEFAULT_GUIDANCE_SCALE: float = 7.5
    DEFAULT_STEPS: int = 50
    NAME = "AlephAlphaVisionClient"
    ENDED = f"Aleph Alpha made these pictures itself in 2023; only a cache that holds them answers. {TODAY}"

    @staticmethod
    def convert_to_raw_request(request: Request) -> dict[str, Any]:
        """Return the cache key of a request, without `random`."""
        kind = AlephAlphaImageGenerationClient
        return {
            "request_type": "image-model-inference",
            "model": request.model_engine,
            "prompt": request.prompt,
            "n": request.num_completions,
            **together_parameters(
                request.image_generation_parameters,
                kind.DEFAULT_GUIDANCE_SCALE,
                kind.DEFAULT_STEPS,
                (kind.DEFAULT_IMAGE_WIDTH, kind.DEFAULT_IMAGE_HEIGHT),
            ),
        }

    def _raw_request(self, request: Request) -> dict[str, Any]:
        if request.model_engine != "m-vader":
            raise ConfigError(f"Unsupported model: {request.model_engine}")
        return self.convert_to_raw_request(request)
