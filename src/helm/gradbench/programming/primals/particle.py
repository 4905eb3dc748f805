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


def potential(x, y, w):
    """Of two charges, one of which the control w moves, at the place (x, y)."""
    return 1 / ((x - 10) ** 2 + (y - 10 + w) ** 2) ** 0.5 + 1 / ((x - 10) ** 2 + y**2) ** 0.5


def landing(w, acceleration):
    """The square of the place where a particle crosses y = 0; w is a float.

    acceleration(x, y, w) is minus the gradient of the potential by x and y, two floats.
    """
    x, y, vx, vy = 0.0, 8.0, 0.75, 0.0
    while True:
        ax, ay = acceleration(x, y, w)
        x, y = x + 0.1 * vx, y + 0.1 * vy
        if y <= 0:
            return (x - y / vy * vx) ** 2
        vx, vy = vx + 0.1 * ax, vy + 0.1 * ay
