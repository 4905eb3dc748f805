import numpy as xp


def primal(a):
    """The determinant of a matrix of shape (l, l) by expansion along the first row."""
    size = a.shape[0]
    if size == 1:
        return a[0, 0]
    total = 0.0
    for j in range(size):
        minor = xp.concatenate([a[1:, :j], a[1:, j + 1 :]], 1)
        total = total + (-1) ** j * a[0, j] * primal(minor)
    return total
