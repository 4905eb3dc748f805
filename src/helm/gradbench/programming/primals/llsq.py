import numpy as xp


def primal(x, points):
    """Half the sum of squares of sign(t) - sum_j x[j] t^j over the points t.

    x has shape (m,), points has shape (n,).
    """
    total = 0.0
    for t in points:
        power, value = 1.0, 0.0
        for coefficient in x:
            value = value + coefficient * power
            power = power * t
        total = total + (xp.sign(t) - value) ** 2
    return total / 2
