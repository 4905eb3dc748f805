"""Small copies of the images that models made, for the files of the pages."""

import base64
import os
from collections.abc import Iterable
from functools import cache
from typing import Any

from helm.common.data.media_store import MAX_BYTES
from helm.common.data.pictures import PictureError, thumbnail
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.media_object import IMAGE_TYPE
from helm.common.optional_dependencies import OptionalDependencyNotInstalled, needs_extra

_SIDE = 512
"""HELM writes whole images, which makes the files of a run hundreds of megabytes large."""


def image_previews(contents: Iterable[Any]) -> list[str]:
    """Return the first image of each completion as base64 of a small JPEG.

    Images that are not on this machine, or cannot be read, are left out. As in HELM, there are none at all if any completion
    has no media, as when the model refused.

    Args:
        contents: the `multimodal_content` of each completion, as a file of results has it.
    """
    paths = []
    for content in contents:
        objects = content.get("media_objects") if isinstance(content, dict) else None
        first = objects[0] if isinstance(objects, list) and objects else None
        if not isinstance(first, dict):
            return []
        if str(first.get("content_type")).startswith(IMAGE_TYPE) and isinstance(first.get("location"), str):
            paths.append(first["location"])
    if not paths or not _can_read_images():
        return []
    return [preview for path in paths if (preview := _preview(path))]


@cache
def _can_read_images() -> bool:
    """Return whether Pillow is there; if not, say so once."""
    try:
        with needs_extra("images"):
            import PIL  # noqa: F401
    except OptionalDependencyNotInstalled as e:
        hlog(f"The images of models are not shown. {e}")
        return False
    return True


def _preview(path: str) -> str | None:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MAX_BYTES:
            return None
        with open(path, "rb") as file:
            return base64.b64encode(thumbnail(file.read(), _SIDE)).decode("ascii")
    except (OSError, PictureError) as e:
        hwarn(f"{path} is not shown: {e}")
        return None
