from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class REEvalParameters:
    """Settings of adaptive testing."""

    model_ability: Optional[float] = None
    """Initial ability of the model on the scale of item response theory."""
