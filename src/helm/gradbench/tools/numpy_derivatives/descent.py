"""The gradient descent with a growing and shrinking step that particle and saddle share. It works on a few plain floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Point = list[float]

FIRST_STEP = 1e-5
CLOSE = 1e-5
STEPS_TO_GROW = 10
# The evals' own starts take below a hundred; some others would never end.
MAX_TRIALS = 100_000


def minimize(value: Callable[[Point], float], gradient: Callable[[Point], Point], start: Sequence[float]) -> Point:
    """Return where the descent on ``value`` from ``start`` ends, which is at a short gradient or a short step.

    Raises: ArithmeticError after ``MAX_TRIALS`` trial steps.
    """
    x = list(start)
    best, slope, step, successes = value(x), gradient(x), FIRST_STEP, 0
    for _ in range(MAX_TRIALS):
        if math.hypot(*slope) <= CLOSE:
            return x
        if successes == STEPS_TO_GROW:
            step *= 2
            successes = 0
            continue
        trial = [a - step * b for a, b in zip(x, slope, strict=True)]
        if math.dist(x, trial) <= CLOSE:
            return x
        found = value(trial)
        if found < best:
            x, best, slope = trial, found, gradient(trial)
            successes += 1
        else:
            step /= 2
            successes = 0
    raise ArithmeticError(f"The descent from {list(start)} did not end within {MAX_TRIALS} trial steps.")


def maximize(value: Callable[[Point], float], gradient: Callable[[Point], Point], start: Sequence[float]) -> Point:
    """Do the same upwards."""
    return minimize(lambda x: -value(x), lambda x: [-number for number in gradient(x)], start)
