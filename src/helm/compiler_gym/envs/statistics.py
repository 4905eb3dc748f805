"""Means over episodes, lines of a search's progress log, and shortened texts."""

import math
from collections.abc import Iterable
from dataclasses import dataclass


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean; 0 for no values, and when one of them is not positive."""
    values = list(values)
    if not values or any(value <= 0 for value in values):
        return 0.0
    return math.exp(sum(math.log(value) for value in values) / len(values))


def arithmetic_mean(values: Iterable[float]) -> float:
    """Return the arithmetic mean; 0 for no values."""
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def stdev(values: Iterable[float]) -> float:
    """Return the standard deviation of the population; 0 for no values, infinite when the squares overflow."""
    values = list(values)
    if not values:
        return 0.0
    mean = arithmetic_mean(values)
    try:
        return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    except OverflowError:
        return math.inf


@dataclass(frozen=True)
class ProgressLogEntry:
    """The state of a search when it found an improvement."""

    runtime_seconds: float
    """Seconds since the start of the search."""

    total_episode_count: int
    """The episodes of all workers."""

    total_step_count: int
    """The steps of all workers."""

    num_passes: int
    """Actions of the best episode so far."""

    reward: float
    """The reward of that episode."""

    def to_csv(self) -> str:
        return (
            f"{self.runtime_seconds:.3f},{self.total_episode_count},{self.total_step_count},"
            f"{self.num_passes},{self.reward}"
        )

    @classmethod
    def from_csv(cls, line: str) -> "ProgressLogEntry":
        """Read a line.

        Raises: ValueError when its format is wrong.
        """
        runtime, episodes, steps, passes, reward = line.strip().split(",")
        return cls(float(runtime), int(episodes), int(steps), int(passes), float(reward))


def truncate(text: str, max_line_len: int = 60, max_lines: int = 1, tail: bool = False) -> str:
    """Return the first lines of a text (the last ones with `tail`), cut to a length, with dots for missing text."""
    lines = str(text).strip().split("\n")
    kept = lines[-max_lines:] if tail else lines[:max_lines]
    cut = [line if len(line) <= max_line_len else line[: max_line_len - 3] + "..." for line in kept]
    if len(lines) > max_lines and not tail and not cut[-1].endswith("..."):
        cut[-1] = cut[-1][: max_line_len - 3] + "..."
    return "\n".join(cut)
