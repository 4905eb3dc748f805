"""What decorators note on functions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from helm.common.live_functions import short_name


@dataclass(frozen=True)
class ScenarioTraits:
    """How the rows of a function are asked and scored."""

    name: str

    instructions: str = ""

    max_tokens: int | None = None

    stop_sequences: Sequence[str] = ()

    metrics: Sequence[Any] = field(default_factory=tuple)


def metric_name(function: Callable[..., Any]) -> str:
    """Return the name of the score that a metric function computes."""
    traits = getattr(function, "__helm_metric__", None)
    return traits.name if traits is not None else short_name(function)
