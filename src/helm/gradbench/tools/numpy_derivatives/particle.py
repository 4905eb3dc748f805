"""Steering a charged particle: gradient descent on where it lands.

The acceleration is the negative gradient of the potential sum_j 1 / |x - c_j|, which is sum_j (x - c_j) / |x - c_j|^3;
worked out by hand it is the same in every mode. The derivative of the landing point by the control w is carried along
with the motion (forward) or found by going back through it (reverse).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from helm.gradbench.tools.numpy_derivatives.descent import minimize
from helm.gradbench.tools.server import ToolFunction

DT = 0.1
START = (0.0, 8.0, 0.75, 0.0)  # position and velocity
CHARGE_X = 10.0
CHARGE_Y = 10.0
# The particle is repelled sideways only so far; one that has not landed by then never does.
_MAX_STEPS = 100_000


class _Field(NamedTuple):
    """Acceleration at a point and its derivatives by position (symmetric) and by the control."""

    ax: float
    ay: float
    xx: float
    xy: float
    yy: float
    xw: float
    yw: float


def _field(x: float, y: float, w: float) -> _Field:
    """From the charges at (10, 10 - w) and (10, 0)."""
    ax = ay = xx = xy = yy = xw = yw = 0.0
    for charge_y, is_moved in ((CHARGE_Y - w, True), (0.0, False)):
        dx, dy = x - CHARGE_X, y - charge_y
        r2 = dx * dx + dy * dy
        inverse = 1 / (r2 * math.sqrt(r2))
        ax += dx * inverse
        ay += dy * inverse
        scale = 3 * inverse / r2
        xy -= scale * dx * dy
        xx += inverse - scale * dx * dx
        yy += inverse - scale * dy * dy
        if is_moved:  # dy grows as w does
            xw -= scale * dx * dy
            yw += inverse - scale * dy * dy
    return _Field(ax, ay, xx, xy, yy, xw, yw)


def _acceleration(x: float, y: float, w: float) -> tuple[float, float]:
    ax = ay = 0.0
    for charge_y in (CHARGE_Y - w, 0.0):
        dx, dy = x - CHARGE_X, y - charge_y
        r2 = dx * dx + dy * dy
        inverse = 1 / (r2 * math.sqrt(r2))
        ax += dx * inverse
        ay += dy * inverse
    return ax, ay


def _no_landing(w: float) -> ArithmeticError:
    return ArithmeticError(f"The particle with w={w} has not landed after {_MAX_STEPS} steps.")


def landing(w: float) -> float:
    """Square of the place where the particle crosses y = 0."""
    x, y, vx, vy = START
    for _ in range(_MAX_STEPS):
        ax, ay = _acceleration(x, y, w)
        x += DT * vx
        y += DT * vy
        if y <= 0:
            return (x - y / vy * vx) ** 2
        vx += DT * ax
        vy += DT * ay
    raise _no_landing(w)


def landing_forward(w: float) -> float:
    """Derivative of ``landing``, carried along."""
    x, y, vx, vy = START
    dx = dy = dvx = dvy = 0.0
    for _ in range(_MAX_STEPS):
        field = _field(x, y, w)
        dax = field.xx * dx + field.xy * dy + field.xw
        day = field.xy * dx + field.yy * dy + field.yw
        x += DT * vx
        y += DT * vy
        dx += DT * dvx
        dy += DT * dvy
        if y <= 0:
            time = -y / vy
            d_time = (-dy - time * dvy) / vy
            return 2 * (x + time * vx) * (dx + d_time * vx + time * dvx)
        vx += DT * field.ax
        vy += DT * field.ay
        dvx += DT * dax
        dvy += DT * day
    raise _no_landing(w)


def landing_reverse(w: float) -> float:
    """Derivative of ``landing``, found by going back."""
    x, y, vx, vy = START
    fields: list[_Field] = []
    for _ in range(_MAX_STEPS):
        field = _field(x, y, w)
        x += DT * vx
        y += DT * vy
        if y <= 0:
            break
        fields.append(field)
        vx += DT * field.ax
        vy += DT * field.ay
    else:
        raise _no_landing(w)
    time = -y / vy
    place_bar = 2 * (x + time * vx)
    time_bar = place_bar * vx
    x_bar, y_bar = place_bar, -time_bar / vy
    vx_bar, vy_bar = place_bar * time, -time_bar * time / vy
    w_bar = 0.0
    vx_bar += DT * x_bar  # the last move of the position
    vy_bar += DT * y_bar
    for field in reversed(fields):
        ax_bar, ay_bar = DT * vx_bar, DT * vy_bar
        w_bar += ax_bar * field.xw + ay_bar * field.yw
        vx_bar += DT * x_bar
        vy_bar += DT * y_bar
        x_bar, y_bar = (
            x_bar + ax_bar * field.xx + ay_bar * field.xy,
            y_bar + ax_bar * field.xy + ay_bar * field.yy,
        )
    return w_bar


def prepare(value: Any) -> float:
    return float(value["w"])


def steer_forward(w: float) -> float:
    """The control at which the descent from ``w`` ends."""
    return minimize(lambda p: landing(p[0]), lambda p: [landing_forward(p[0])], [w])[0]


def steer_reverse(w: float) -> float:
    """The same, by going back."""
    return minimize(lambda p: landing(p[0]), lambda p: [landing_reverse(p[0])], [w])[0]


FUNCTIONS = {
    "rr": ToolFunction(steer_reverse, prepare=prepare),
    "ff": ToolFunction(steer_forward, prepare=prepare),
    "fr": ToolFunction(steer_forward, prepare=prepare),
    "rf": ToolFunction(steer_reverse, prepare=prepare),
}
