"""A request to check whether images show nudity."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class NudityCheckRequest:
    image_locations: list[str] = field(default_factory=list)
    """Paths or URLs."""


@dataclass(frozen=True)
class NudityCheckResult:
    success: bool

    cached: bool

    image_to_nudity: dict[str, bool] = field(default_factory=dict)
    """Whether each image shows nudity, by its location."""

    error: str | None = None
    """Why it failed, when `success` is false."""
