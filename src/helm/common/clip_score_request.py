"""A request for the CLIP score, which measures how well a caption fits an image."""

from dataclasses import dataclass

DEFAULT_CLIP_SCORE_MODEL = "openai/clip-vit-large-patch14"


@dataclass(frozen=True)
class CLIPScoreRequest:
    caption: str

    image_location: str
    """Path or URL of the image."""

    model: str = DEFAULT_CLIP_SCORE_MODEL
    """Name of the CLIP model; multilingual requests use another one."""

    multilingual: bool = False
    """Whether the caption may be in another language than English."""


@dataclass(frozen=True)
class CLIPScoreResult:
    success: bool

    cached: bool

    score: float = 0.0
    """100 times the cosine similarity of caption and image, 0 to 100."""

    error: str | None = None
    """Why it failed, when `success` is false."""
