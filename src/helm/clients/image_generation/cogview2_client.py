"""CogView2, which no package of today runs."""

from typing import Any

from helm.clients.image_generation.offline_images_client import TODAY, OldModelClient
from helm.common.request import Request


class CogView2Client(OldModelClient):
    """Answers from HELM's cache. The model ran on packages of 2022 (icetk, SwissArmyTransformer) that are no more kept up."""

    MAX_SEQ_LEN: int = 95
    MODEL_URL: str = "https://nlp.stanford.edu/projects/vhelm/cogview2/sharefs.zip"
    NAME = "CogView2Client"
    ENDED = (
        "CogView2 needs icetk and SwissArmyTransformer of 2022, which do not run with a PyTorch of today; only a cache of HELM "
        f"answers. {TODAY}"
    )

    def _raw_request(self, request: Request) -> dict[str, Any]:
        # HELM: the model ignores all parameters.
        return {"model": request.model_engine, "n": request.num_completions, "prompt": request.prompt}
