"""DALL-E mini and mega, which no package of today runs."""

from typing import Any

from helm.clients.image_generation.offline_images_client import TODAY, OldModelClient
from helm.common.request import Request


class DALLEMiniClient(OldModelClient):
    """Answers from HELM's cache. The models ran on versions of JAX and Flax of 2022, and on weights in Weights & Biases."""

    VQGAN_REPO: str = "dalle-mini/vqgan_imagenet_f16_16384"
    VQGAN_COMMIT_ID: str = "e93a26e7707683d349bf5d5c41c5b0ef69b677a9"
    NAME = "DALLEMiniClient"
    ENDED = (
        "DALL-E mini needs the package dalle-mini of 2022, which does not run with a JAX of today; only a cache of HELM "
        f"answers. {TODAY}"
    )

    def _raw_request(self, request: Request) -> dict[str, Any]:
        return {
            "model": request.model_engine,
            "n": request.num_completions,
            "prompt": request.prompt,
            "top_k": None,
            "top_p": None,
            "temperature": None,
            "condition_scale": 10.0,
        }
