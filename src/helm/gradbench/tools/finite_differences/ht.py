"""Hand tracking, differentiated parameter by parameter; the shares of all points at once, each having its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.ht import Hand, objective, prepare
from helm.gradbench.tools.server import ToolFunction


def jacobian(hand: Hand) -> differences.Array:
    columns = []
    if hand.shares is not None:
        for i in range(2):
            h = differences.RELATIVE_STEP * np.maximum(1.0, np.abs(hand.shares[:, i]))
            errors = []
            for sign in (1, -1):
                moved = hand.shares.copy()
                moved[:, i] += sign * h
                errors.append(objective(replace(hand, shares=moved)))
            columns.append((errors[0] - errors[1]) / np.repeat(2 * h, 3))
    for i in range(len(hand.theta)):
        h = differences.step(float(hand.theta[i]))
        above, below = hand.theta.copy(), hand.theta.copy()
        above[i] += h
        below[i] -= h
        columns.append((objective(replace(hand, theta=above)) - objective(replace(hand, theta=below))) / (2 * h))
    return np.stack(columns, axis=1)


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare, finish=np.ndarray.tolist),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=np.ndarray.tolist),
}
