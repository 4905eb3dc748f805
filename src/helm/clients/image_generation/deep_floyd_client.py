"""DeepFloyd IF, whose pictures were made outside of HELM."""

from typing import Any, ClassVar

from helm.clients.image_generation.offline_images_client import TODAY, OfflineImagesClient
from helm.common.errors import ConfigError
from helm.common.request import Request


class DeepFloydClient(OfflineImagesClient):
    """Answers from a cache with pictures that were made in 2023.

    The weights are on the Hugging Face Hub under the names of the models, behind a licence: a deployment with
    HuggingFaceDiffusersClient runs the first of their three stages, which makes pictures of 64 x 64 pixels.
    """

    SUPPORTED_MODELS: ClassVar[list[str]] = ["IF-I-M-v1.0", "IF-I-L-v1.0", "IF-I-XL-v1.0"]
    NAME = "DeepFloyd Client"
    ENDED = f"These pictures were made outside of HELM in 2023; only a cache that holds them answers. {TODAY}"

    @staticmethod
    def convert_to_raw_request(request: Request) -> dict[str, Any]:
        """Return the cache key of a request, without `random`."""
        return {
            "model": request.model_engine,
            "n": request.num_completions,
            "prompt": request.prompt,
            "request_type": "image-model-inference",
        }

    def _raw_request(self, request: Request) -> dict[str, Any]:
        if request.model_engine not in self.SUPPORTED_MODELS:
            raise ConfigError(f"Unsupported model: {request.model_engine}")
        return self.convert_to_raw_request(request)
