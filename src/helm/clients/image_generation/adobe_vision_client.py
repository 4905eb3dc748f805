"""Adobe's GigaGAN and Firefly, whose pictures Adobe made for HELM."""

from typing import Any, ClassVar

from helm.clients.image_generation.offline_images_client import TODAY, OfflineImagesClient
from helm.common.errors import ConfigError
from helm.common.request import Request


class AdobeVisionClient(OfflineImagesClient):
    """Answers from a cache with pictures that Adobe made itself in 2023; this client never could ask a service for them."""

    SUPPORTED_MODELS: ClassVar[list[str]] = ["giga-gan", "firefly"]
    NAME = "Adobe Vision Client"
    ENDED = f"Adobe made these pictures itself in 2023; only a cache that holds them answers. {TODAY}"

    @staticmethod
    def convert_to_raw_request(request: Request) -> dict[str, Any]:
        """Return the cache key of a request, without `random`."""
        return {
            "request_type": "image-model-inference",
            "model": request.model_engine,
            "prompt": request.prompt,
            "n": request.num_completions,
        }

    def _raw_request(self, request: Request) -> dict[str, Any]:
        if request.model_engine not in self.SUPPORTED_MODELS:
            raise ConfigError(f"Unsupported model: {request.model_engine}")
        return self.convert_to_raw_request(request)
