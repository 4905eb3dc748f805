import math

import numpy as xp  # noqa: F401


def minimize(value, gradient, start):
    """Where a gradient descent ends. value takes a list of floats and returns a float, gradient returns a list."""
    x = list(start)
    best, slope, step, successes = value(x), gradient(x), 1e-5, 0
    while math.hypot(*slope) > 1e-5:
        if successes == 10:
            step, successes = 2 * step, 0
            continue
        trial = [a - step * b for a, b in zip(x, slope, strict=True)]
        if math.dist(x, trial) <= 1e-5:
            break
        found = value(trial)
        if found < best:
            x, best, slope, successes = trial, found, gradient(trial), successes + 1
        else:
            step, successes = step / 2, 0
    return x


def function(x, y):
    """Of two lists of two floats."""
    return x[0] ** 2 + x[1] ** 2 - y[0] ** 2 - y[1] ** 2
