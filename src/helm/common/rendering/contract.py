"""The result of rendering, and its errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from helm.common.errors import HelmError

if TYPE_CHECKING:
    from PIL.Image import Image


class CompilationError(HelmError):
    """The code cannot be turned into a picture, which is its author's fault; the message is what the program says."""


class RenderingError(HelmError):
    """A program could not be run to its end, which says nothing about the code."""


class MissingProgramError(HelmError):
    """A program that is needed is not installed where the sandbox sees it."""


@dataclass(frozen=True)
class Rendering:
    """A picture, and what is known about it."""

    picture: "Image"

    infos: Mapping[str, object] = field(default_factory=dict)
    """Plain JSON data: the text that was compiled, the size of the picture and the like."""
