"""Models at fal."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.image_generation.image_making_client import GUIDANCE, STEPS
from helm.clients.image_generation.queued_image_client import QueuedImageClient
from helm.clients.image_generation.received_pictures import Received, from_base64_or_url, size_of
from helm.common.request import Request


class FalClient(QueuedImageClient):
    """`POST /MODEL` at fal's queue. The model's name is `fal-ai/...`; for the arguments, see QueuedImageClient."""

    BASE_URL = "https://queue.fal.run"
    KEY_VARIABLE = "FAL_KEY"
    CREDENTIAL = "falApiKey"
    KEY_HEADER = ("Authorization", "Key {key}")
    MOST_IMAGES = 4
    PARAMETER_FIELDS = {GUIDANCE: "guidance_scale", STEPS: "num_inference_steps"}

    def _path(self, request: Request) -> str:
        return self.model_name or request.model

    def _raw_request(self, request: Request, num_images: int) -> dict[str, Any]:
        parameters = request.image_generation_parameters
        size = size_of(parameters)
        return {
            "prompt": request.prompt,
            "num_images": num_images,
            **({"image_size": {"width": size[0], "height": size[1]}} if size else {}),
            **self._parameter_values(parameters),
            **self.arguments,
        }

    def _state_url(self, ticket: Mapping[str, Any]) -> str:
        return ticket["status_url"]

    def _finished(self, ticket: Mapping[str, Any], state: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if state.get("error"):
            raise self._failed(state["error"])
        return self._look(ticket["response_url"]) if state.get("status") == "COMPLETED" else None

    def _received(self, answer: Mapping[str, Any]) -> Sequence[Received]:
        flags = answer.get("has_nsfw_concepts") or []
        return [
            Received(reason="has_nsfw_concepts: fal's filter withheld the picture")
            if index < len(flags) and flags[index]
            else from_base64_or_url(image["url"])
            for index, image in enumerate(answer["images"])
        ]
