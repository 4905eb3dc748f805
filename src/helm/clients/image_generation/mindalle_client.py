"""minDALL-E, which no package of today runs."""

from typing import Any

from helm.clients.image_generation.offline_images_client import TODAY, OldModelClient
from helm.common.request import Request


class MinDALLEClient(OldModelClient):
    """Answers from HELM's cache. The model ran on PyTorch Lightning 1 of 2021."""

    NAME = "MinDALLEClient"
    ENDED = (
        "minDALL-E needs the package minDALL-E of 2021 with PyTorch Lightning 1, which does not run with a PyTorch of today; "
        f"only a cache of HELM answers. {TODAY}"
    )

    def _raw_request(self, request: Request) -> dict[str, Any]:
        return {
            "model": request.model_engine,
            "n": request.num_completions,
            "prompt": request.prompt,
            "num_candidates": 1,
            "softmax_temperature": 1.0,
            "top_k": 256,
            "top_p": None,
            "device": "cuda",
        }
