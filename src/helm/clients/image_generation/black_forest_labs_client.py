"""FLUX models at Black Forest Labs."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.image_generation.image_making_client import GUIDANCE, STEPS
from helm.clients.image_generation.queued_image_client import QueuedImageClient
from helm.clients.image_generation.received_pictures import Received, from_base64_or_url, size_of
from helm.common.request import Request

_REFUSED = ("Request Moderated", "Content Moderated")
_FAILED = ("Error", "Failed", "Task not found")


class BlackForestLabsClient(QueuedImageClient):
    """`POST /v1/MODEL`, once for each picture. Only some models take guidance and steps; others refuse them.

    For the arguments, see QueuedImageClient.
    """

    BASE_URL = "https://api.bfl.ai"
    KEY_VARIABLE = "BFL_API_KEY"
    CREDENTIAL = "black-forest-labsApiKey"
    KEY_HEADER = ("x-key", "{key}")
    PARAMETER_FIELDS = {GUIDANCE: "guidance", STEPS: "steps"}

    def _path(self, request: Request) -> str:
        return f"v1/{self.model_name or request.model_engine}"

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        size = size_of(parameters)
        return {
            "prompt": request.prompt,
            "output_format": "png",
            **({"width": size[0], "height": size[1]} if size else {}),
            **self._parameter_values(parameters),
            **self.arguments,
        }

    def _state_url(self, ticket: Mapping[str, Any]) -> str:
        return ticket["polling_url"]

    def _finished(self, ticket: Mapping[str, Any], state: Mapping[str, Any]) -> Mapping[str, Any] | None:
        status = state.get("status")
        if status in _FAILED:
            raise self._failed(f"{status} {state.get('details') or ''}")
        return state if status == "Ready" or status in _REFUSED else None

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        if answer["status"] in _REFUSED:
            return [Received(reason=answer["status"])]
        return [from_base64_or_url(answer["result"]["sample"])]
