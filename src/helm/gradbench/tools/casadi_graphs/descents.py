"""particle and saddle: descents whose functions hold derivatives, differentiated once more.

A graph has no loop whose end depends on its values. Loops within the functions to minimise are blocks of rounds. Rounds
after the end do nothing, and a block after the end is skipped. The descent around them is plain Python.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from helm.gradbench.tools.casadi_graphs.problem import Problem, flat
from helm.gradbench.tools.numpy_derivatives import particle, saddle
from helm.gradbench.tools.numpy_derivatives.descent import CLOSE, FIRST_STEP, STEPS_TO_GROW, Point, minimize
from helm.gradbench.tools.server import ToolError

# The evals' own inputs take up to 355 rounds.
_NUM_BLOCKS, _BLOCK_ROUNDS = 64, 64


class Optimization(Problem):
    """A problem whose four functions differ in the modes of their derivatives, outer and inner: forward or reverse."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return "rr", "ff", "fr", "rf"

    @abstractmethod
    def inner_graph(self, ca: Any, x: Any, data: Any, inner: str) -> Any:
        """The function to minimise, whose own derivatives are of the mode ``inner``."""

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        return self.inner_graph(ca, x, data, "r")

    def build(self, ca: Any, name: str) -> Callable[[], Any]:
        outer, inner = name[0], name[1]
        size = len(self.x)
        x, data = ca.MX.sym("x", size), ca.MX.sym("data", len(self.data))
        graph = self.inner_graph(ca, x, data, inner)
        derivative = ca.gradient(graph, x) if outer == "r" else ca.jtimes(graph, x, ca.DM.eye(size)).T
        value, gradient = (ca.Function("f", [x, data], [part]) for part in (graph, derivative))

        def ask(function: Any, point: Point) -> Point:
            return _finite(flat(function(point, self.data)))

        def search() -> Point:
            return minimize(lambda point: ask(value, point)[0], lambda point: ask(gradient, point), self.x.tolist())

        return search


def _finite(numbers: np.ndarray) -> Point:
    if not np.isfinite(numbers).all():
        raise ToolError("The search did not end within the rounds that this tool allows it, or it left the numbers.")
    return numbers.tolist()


def _in_mode(ca: Any, value: Any, by: Any, mode: str) -> Any:
    """The gradient of a graph of numbers."""
    return ca.gradient(value, by) if mode == "r" else ca.jtimes(value, by, ca.SX.eye(by.numel())).T


def _repeat_until(ca: Any, is_done: Callable[[Any], Any], step: Any, state: Any, constant: Any) -> Any:
    """Return a state of graphs after rounds of ``step``, which does nothing once ``is_done``; NaN if it never is done.

    Args:
        step: a function of a state and of what stays constant.
    """
    sizes = [ca.MX.sym("state", state.numel()), ca.MX.sym("constant", constant.numel())]
    rounds = step.fold(_BLOCK_ROUNDS)(sizes[0], ca.repmat(sizes[1], 1, _BLOCK_ROUNDS))
    choice = ca.Function.if_else(
        "choice", ca.Function("stay", sizes, [sizes[0]]), ca.Function("block", sizes, [rounds])
    )
    for _ in range(_NUM_BLOCKS):
        state = choice(is_done(state), state, constant)
    return ca.if_else(is_done(state), state, math.nan)


class Particle(Optimization):
    """Steer a particle among charges, whose field is the gradient of their potential."""

    def __init__(self, value: Any):
        self.x = np.array([particle.prepare(value)])
        self.data = np.array(particle.START)

    def inner_graph(self, ca: Any, x: Any, data: Any, inner: str) -> Any:
        def will_land(state: Any) -> Any:
            return state[1] + particle.DT * state[3] <= 0

        state, w = ca.SX.sym("state", 4), ca.SX.sym("w")
        place, velocity = state[:2], state[2:]
        distances = [ca.norm_2(place - ca.vertcat(particle.CHARGE_X, y)) for y in (particle.CHARGE_Y - w, 0.0)]
        force = _in_mode(ca, sum(1.0 / distance for distance in distances), place, inner)
        moved = ca.vertcat(place + particle.DT * velocity, velocity - particle.DT * force)
        step = ca.Function("step", [state, w], [ca.if_else(will_land(state), state, moved)])

        last = _repeat_until(ca, will_land, step, data, x)
        place, velocity = last[:2] + particle.DT * last[2:], last[2:]
        crossing = place[0] - place[1] / velocity[1] * velocity[0]
        return crossing * crossing

    def finish(self, name: str, value: Any) -> Any:
        return value[0]


class Saddle(Optimization):
    """The saddle point of a quadratic function, by minimising over x what is the maximum over y."""

    def __init__(self, value: Any):
        self.x = self.data = np.array(saddle.prepare(value))

    def _best_y(self, ca: Any, x: Any, start: Any, inner: str) -> Any:
        """Where the descent on the negative function of y ends."""
        y, fixed = ca.SX.sym("y", 2), ca.SX.sym("x", 2)
        negative = -saddle.function(ca.vertsplit(fixed), ca.vertsplit(y))
        both = ca.Function("both", [y, fixed], [ca.vertcat(negative, _in_mode(ca, negative, y, inner))])

        state = ca.SX.sym("state", 8)  # y, the best value, its gradient, the step, successes, whether it is the end
        y, best, slope, length, successes = state[:2], state[2], state[3:5], state[5], state[6]
        trial = y - length * slope
        found = both(trial, fixed)
        grows = successes == STEPS_TO_GROW
        is_short = ca.logic_and(ca.logic_not(grows), ca.sumsqr(y - trial) <= CLOSE**2)
        is_end = ca.logic_or(ca.sumsqr(slope) <= CLOSE**2, is_short)
        longer = ca.vertcat(y, best, slope, 2.0 * length, 0.0, 0.0)
        shorter = ca.vertcat(y, best, slope, 0.5 * length, 0.0, 0.0)
        better = ca.vertcat(trial, found, length, successes + 1.0, 0.0)
        went = ca.if_else(grows, longer, ca.if_else(found[0] < best, better, shorter))
        at_end = ca.vertcat(state[:7], 1.0)
        step = ca.Function("step", [state, fixed], [ca.if_else(ca.logic_or(state[7], is_end), at_end, went)])

        first = ca.vertcat(start, both(start, x), FIRST_STEP, 0.0, 0.0)
        return _repeat_until(ca, lambda state: state[7], step, first, x)[:2]

    def inner_graph(self, ca: Any, x: Any, data: Any, inner: str) -> Any:
        return saddle.function(ca.vertsplit(x), ca.vertsplit(self._best_y(ca, x, data, inner)))

    def build(self, ca: Any, name: str) -> Callable[[], Any]:
        search = super().build(ca, name)
        x, start = ca.MX.sym("x", 2), ca.MX.sym("start", 2)
        best_y = ca.Function("best_y", [x, start], [self._best_y(ca, x, start, name[1])])

        def saddle_point() -> Point:
            point = search()
            return [*point, *_finite(flat(best_y(point, self.data)))]

        return saddle_point

    def finish(self, name: str, value: Any) -> Any:
        return value
