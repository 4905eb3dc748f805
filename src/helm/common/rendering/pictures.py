"""Cuts pictures of pages: their foot with the page number, and the white border. Needs the extra `images`."""

from typing import TYPE_CHECKING

from helm.common.data.pictures import PictureError, decoded
from helm.common.rendering.contract import CompilationError, RenderingError

if TYPE_CHECKING:
    from PIL.Image import Image

FOOT = 0.2
"""The share of a page's height that is cut off at the bottom."""


def read_picture(content: bytes) -> "Image":
    """Decode a picture that a program made, as RGB. Raises: RenderingError."""
    try:
        with decoded(content) as picture:
            return picture.convert("RGB")
    except PictureError as e:
        raise RenderingError(f"The picture of a program cannot be read: {e}") from e


def content_of_page(page: "Image") -> "Image":
    """Return what is on a page, without its foot and the white border. Raises: CompilationError if nothing is on it."""
    from PIL import Image, ImageChops

    width, height = page.size
    upper = page.crop((0, 0, width, int(height * (1 - FOOT))))
    box = ImageChops.difference(upper, Image.new(upper.mode, upper.size, "white")).getbbox()
    if box is None:
        raise CompilationError("The page is empty.")
    return upper.crop(box)
