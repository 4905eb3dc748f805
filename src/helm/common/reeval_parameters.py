from dataclasses import dataclass


@dataclass(frozen=True)
class REEvalParameters:
    """Settings of adaptive testing."""

    model_ability: float | None = None
    """Initial ability of the model on the scale of item response theory."""
