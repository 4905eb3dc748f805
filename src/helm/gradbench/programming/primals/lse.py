import numpy as xp


def primal(x):
    """log(sum_i exp(x_i)) of a vector of shape (n,)."""
    return xp.log(xp.sum(xp.exp(x)))
