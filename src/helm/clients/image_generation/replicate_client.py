"""Models at Replicate."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import Call
from helm.clients.image_generation.image_making_client import GUIDANCE, STEPS
from helm.clients.image_generation.queued_image_client import QueuedImageClient
from helm.clients.image_generation.received_pictures import Received, from_base64_or_url, size_of
from helm.common.request import FILTERED, Request
from helm.common.request_options import SEED

_FAILED = ("failed", "canceled", "aborted")
_FILTERED = ("nsfw", "sensitive", "safety", "moderat")
"""Words of the errors of models whose filter found something."""


class ReplicateClient(QueuedImageClient):
    """`POST /v1/models/OWNER/NAME/predictions`, once for each picture. Models differ in the fields that they take.

    For the arguments, see QueuedImageClient; `arguments` are fields of `input`.
    """

    BASE_URL = "https://api.replicate.com"
    KEY_VARIABLE = "REPLICATE_API_TOKEN"
    CREDENTIAL = "replicateApiKey"
    PARAMETER_FIELDS = {GUIDANCE: "guidance_scale", STEPS: "num_inference_steps"}
    OPTION_FIELDS = {SEED: "input.seed"}

    def _path(self, request: Request) -> str:
        return f"v1/models/{self.model_name or request.model}/predictions"

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        size = size_of(parameters)
        fields = {
            "prompt": request.prompt,
            **({"width": size[0], "height": size[1]} if size else {}),
            **self._parameter_values(parameters),
            **self.arguments,
        }
        return {"input": fields}

    def _call(self, request: Request, num_images: int, num_there: int) -> Call:
        return super()._call(request, num_images, num_there)._replace(headers={"Prefer": "wait"})

    def _state_url(self, ticket: Mapping[str, Any]) -> str:
        return ticket["urls"]["get"]

    def _finished(self, ticket: Mapping[str, Any], state: Mapping[str, Any]) -> Mapping[str, Any] | None:
        status, error = state.get("status"), str(state.get("error") or "")
        if status in _FAILED:
            if any(word in error.lower() for word in _FILTERED):
                raise self.endpoint.failure(FILTERED, "", error)
            raise self._failed(error or status)
        return state if status == "succeeded" else None

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        output = answer["output"]
        return [from_base64_or_url(url) for url in (output if isinstance(output, list) else [output])]
