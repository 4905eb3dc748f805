"""Decodes pictures of data sets, with limits, since files of data sets are not trusted."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from helm.common.errors import HelmError
from helm.common.optional_dependencies import needs_extra

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 200_000_000
"""Pictures with more pixels are refused before they are decoded."""

_FORMATS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/webp": "WEBP",
    "image/bmp": "BMP",
    "image/tiff": "TIFF",
}
"""Formats that are decoded; Pillow's other decoders, some of which start programs, are never used."""

_JPEG_MODES = ("1", "L", "RGB", "CMYK", "YCbCr")


class PictureError(HelmError):
    """A picture cannot be decoded or converted."""


@contextmanager
def decoded(content: bytes) -> "Iterator[Image.Image]":
    """Decode a picture. Raises: PictureError; OptionalDependencyNotInstalled without Pillow."""
    with needs_extra("images"):
        from PIL import Image
    try:
        with Image.open(io.BytesIO(content), formats=list(_FORMATS.values())) as picture:
            width, height = picture.size
            if width * height > MAX_PIXELS:
                raise PictureError(f"it has {width} x {height} pixels, but at most {MAX_PIXELS:,} are allowed.")
            picture.load()
            yield picture
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as e:
        raise PictureError(f"it cannot be decoded: {e}.") from e


def size_of(path: str) -> tuple[int, int]:
    """Return width and height of a picture, of which only the head is read.

    Raises: PictureError; OSError; OptionalDependencyNotInstalled without Pillow.
    """
    with needs_extra("images"):
        from PIL import Image
    with open(path, "rb") as file:
        try:
            with Image.open(file, formats=list(_FORMATS.values())) as picture:
                width, height = picture.size
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as e:
            raise PictureError(f"{path}: it cannot be decoded: {e}.") from e
    return width, height


def md5_of_pixels(content: bytes) -> str:
    """Return the MD5 of the decoded pixels, in hexadecimal; neither the size nor the mode of the picture counts."""
    with decoded(content) as picture:
        return hashlib.md5(picture.tobytes(), usedforsecurity=False).hexdigest()


def converted(content: bytes, content_type: str, rgb: bool) -> bytes | None:
    """Return a picture in another format, or None if the picture is so already.

    Args:
        content_type: the desired content type.
        rgb: whether to convert the picture to RGB first. JPEG files get RGB anyway where they cannot hold the mode.

    Raises: PictureError.
    """
    wanted = _FORMATS.get(content_type)
    if wanted is None:
        raise PictureError(f"pictures cannot be converted to {content_type}.")
    with decoded(content) as picture:
        must_convert = rgb and picture.mode != "RGB"
        if picture.format == wanted and not must_convert:
            return None
        if must_convert or (wanted == "JPEG" and picture.mode not in _JPEG_MODES):
            picture = picture.convert("RGB")
        buffer = io.BytesIO()
        options: dict[str, Any] = {"optimize": True} if wanted == "PNG" else {}
        picture.save(buffer, wanted, **options)
    return buffer.getvalue()


def thumbnail(content: bytes, side: int) -> bytes:
    """Return a picture as JPEG whose longer side has at most so many pixels; transparency is dropped.

    Raises: PictureError; OptionalDependencyNotInstalled without Pillow.
    """
    with decoded(content) as picture:
        small = picture.convert("RGB")
        small.thumbnail((side, side))
        stream = io.BytesIO()
        small.save(stream, format="JPEG")
        return stream.getvalue()
