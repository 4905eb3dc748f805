"""Reading, copying and encoding pictures. Needs the extra `images`."""

import base64
import hashlib
import io
import os
import shutil
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from helm.common.media_object import IMAGE_TYPE
from helm.common.multimodal_request_utils import get_contents_as_bytes, is_url
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from PIL.Image import Image
    from torch import Tensor

__all__ = [
    "IMAGE_TYPE",
    "copy_image",
    "encode_base64",
    "filter_blacked_out_images",
    "generate_hash",
    "get_dimensions",
    "is_blacked_out_image",
    "open_image",
    "resize_image_to_max_file_size",
    "to_grey",
    "to_tensor",
]


def _open(location: str) -> "Image":
    with needs_extra("images"):
        from PIL import Image
    return Image.open(io.BytesIO(get_contents_as_bytes(location)) if is_url(location) else location)


def open_image(image_location: str) -> "Image":
    """Open the picture at a path or URL as RGB; transparency is dropped, not blended."""
    with _open(image_location) as image:
        return image.convert("RGB")


def get_dimensions(image_location: str) -> tuple[int, int]:
    """Return width and height in pixels."""
    with _open(image_location) as image:
        return image.size


def encode_base64(image_location: str, format: str = "JPEG") -> str:
    """Return the picture, encoded anew in a format of Pillow, as base64."""
    stream = io.BytesIO()
    open_image(image_location).save(stream, format=format)
    return base64.b64encode(stream.getvalue()).decode("ascii")


def generate_hash(image: "Image") -> str:
    """Return a digest of the pixels; equal pictures have equal digests whatever their files look like."""
    return hashlib.md5(image.tobytes(), usedforsecurity=False).hexdigest()


def copy_image(src: str, dest: str, width: int | None = None, height: int | None = None) -> None:
    """Copy a picture, resized if width and height are given; without them, the bytes are copied."""
    if width and height:
        with needs_extra("images"):
            from PIL import Image
        open_image(src).resize((width, height), Image.Resampling.LANCZOS).save(dest)
    elif is_url(src):
        with open(dest, "wb") as file:
            file.write(get_contents_as_bytes(src))
    else:
        shutil.copy(src, dest)


def resize_image_to_max_file_size(src: str, dest: str, max_size_in_bytes: int, step: int = 10) -> None:
    """Write a copy whose sides are shortened by `step` pixels until the file is small enough.

    Raises: ValueError if no size is small enough.
    """
    with needs_extra("images"):
        from PIL import Image
    image = open_image(src)
    width, height = image.size
    while True:
        image.resize((width, height), Image.Resampling.LANCZOS).save(dest)
        if os.path.getsize(dest) <= max_size_in_bytes:
            return
        width, height = width - step, height - step
        if min(width, height) <= 0:
            raise ValueError(f"{src}: no size of the picture takes at most {max_size_in_bytes} bytes.")


def to_grey(image_location: str) -> Any:
    """Return an array (height, width) of grey levels from 0 to 255, as OpenCV reads a file.

    The luma channel of a JPEG file is taken as it is; other pictures are converted with OpenCV's whole numbers.
    """
    import numpy as np

    with _open(image_location) as image:
        if image.format == "JPEG":
            image.draft("L", image.size)
            if image.mode == "L":
                return np.asarray(image)
        pixels = np.asarray(image.convert("RGB")).astype(np.int32)
    return (pixels @ np.array([9797, 19234, 3737], np.int32) >> 15).astype(np.uint8)


def is_blacked_out_image(image_location: str) -> bool:
    """Return whether all grey levels are 0, as in the picture with which a filter replaces what it withholds."""
    return not to_grey(image_location).any()


def filter_blacked_out_images(image_locations: Iterable[str]) -> list[str]:
    """Return the locations of pictures that are not black."""
    return [location for location in image_locations if not is_blacked_out_image(location)]


def to_tensor(image: "Image") -> "Tensor":
    """Return a tensor of shape (3, height, width) with values from 0 to 1."""
    with needs_extra("heim"):
        import torch
    import numpy as np

    return torch.from_numpy(np.array(image).transpose(2, 0, 1)).contiguous().float() / 255
