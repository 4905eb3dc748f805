"""Where the media of a request and its result are."""

import base64
from typing import Any

from helm.common.errors import HelmError
from helm.common.request import RequestResult

_TIMEOUT_S = 60


class MissingImageError(HelmError, AssertionError):
    """A reference has no picture. HELM raises AssertionError."""


def is_url(location: str) -> bool:
    """Return whether a location is not a path on this machine."""
    return location.startswith(("http://", "https://"))


def get_contents_as_bytes(location: str) -> bytes:
    """Return the bytes at a path or an address of the web."""
    if is_url(location):
        from urllib.request import urlopen

        with urlopen(location, timeout=_TIMEOUT_S) as response:
            return response.read()
    with open(location, "rb") as file:
        return file.read()


def get_contents_as_base64(location: str) -> str:
    """Return the bytes at a path or an address of the web as base64."""
    return base64.b64encode(get_contents_as_bytes(location)).decode("ascii")


def gather_generated_image_locations(request_result: RequestResult) -> list[str]:
    """Return the location of the first medium of each completion; none if any completion has no media (a refusal)."""
    locations: list[str] = []
    for completion in request_result.completions:
        media = completion.multimodal_content.media_objects if completion.multimodal_content else []
        if not media or not media[0].location:
            return []
        locations.append(media[0].location)
    return locations


def get_gold_image_location(request_state: Any) -> str:
    """Return the location of the first medium of the first reference of a request state.

    Raises: MissingImageError without one.
    """
    references = request_state.instance.references
    content = references[0].output.multimedia_content if references else None
    location = content.media_objects[0].location if content and content.media_objects else None
    if not location:
        raise MissingImageError(
            f"instance {request_state.instance.id}: expected a first reference with a picture to compare with."
        )
    return location
