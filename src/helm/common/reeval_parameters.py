from dataclasses import dataclass


@dataclass(frozen=True)
class REEvalParameters:
    """Settings of adaptive testing."""

    model_ability: float | None = None
    """The model's initial ability on the scale of item response theory."""

    difficulties: str | None = None
    """Path of the bank of difficulties, a file of JSON lines. None means HELM's data set for the scenario."""

    max_standard_error: float | None = None
    """The test ends when the standard error of the ability is at most this; None means only after the largest number of
    instances."""
