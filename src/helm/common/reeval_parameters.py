from dataclasses import dataclass


@dataclass(frozen=True)
class REEvalParameters:
    """Settings of adaptive testing."""

    model_ability: float | None = None
    """The model's initial ability on the scale of item response theory."""
