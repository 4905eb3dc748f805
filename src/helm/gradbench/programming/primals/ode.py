import numpy as xp


def primal(x, steps):
    """y at time 2 of y_0' = x_0 and y_i' = x_i y_(i-1), from y = 0, in a number of Runge-Kutta steps; shape (n,)."""
    h = 2.0 / steps

    def slope(y):
        return xp.concatenate([x[:1], x[1:] * y[:-1]])

    y = 0.0 * x
    for _ in range(steps):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y
