"""Do images show nudity?"""

from dataclasses import dataclass, field
from typing import Dict, List, Optional


@dataclass(frozen=True)
class NudityCheckRequest:
    image_locations: List[str] = field(default_factory=list)
    """Paths or URLs."""


@dataclass(frozen=True)
class NudityCheckResult:
    success: bool

    cached: bool

    image_to_nudity: Dict[str, bool] = field(default_factory=dict)
    """Image location -> whether it shows nudity."""

    error: Optional[str] = None
    """Why it failed, when `success` is false."""
