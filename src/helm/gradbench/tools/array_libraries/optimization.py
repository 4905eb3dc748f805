"""particle and saddle in array operations: descents whose functions hold derivatives, differentiated once more."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from helm.gradbench.tools.array_libraries.primals import Function, Problem
from helm.gradbench.tools.numpy_derivatives import particle, saddle
from helm.gradbench.tools.server import ToolError

if TYPE_CHECKING:
    from helm.gradbench.tools.array_libraries.library import ArrayLibrary


class Optimization(Problem):
    """A problem whose four functions differ in the modes of their derivatives, outer and inner: forward or reverse."""

    function_names = ("rr", "ff", "fr", "rf")
    nests_derivatives = True

    def part(self, name: str) -> Function:
        outer, inner = name[0], name[1]
        return self.search(outer, inner)

    def search(self, outer: str, inner: str) -> Function:
        """The function of the eval with derivatives of these modes."""
        raise NotImplementedError

    def function(self, *parameters: Any) -> Any:
        return self.search("r", "r")(*parameters)

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        numbers = library.numpy(value).tolist()
        if not all(map(math.isfinite, numbers)):
            raise ToolError(
                "The search did not end within the rounds that this tool allows it, or it left the numbers."
            )
        return numbers


class Particle(Optimization):
    """Steer a particle among charges, whose field is the gradient of their potential."""

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        self.parameters = [library.array([particle.prepare(value)])]
        x, y, vx, vy = particle.START
        self.data["place"], self.data["velocity"] = library.array([x, y]), library.array([vx, vy])
        self.data["charges"] = library.array([[particle.CHARGE_X, particle.CHARGE_Y], [particle.CHARGE_X, 0.0]])
        self.data["moved"] = library.array([[0.0, -1.0], [0.0, 0.0]])

    def landing(self, inner: str) -> Function:
        """Return the square of the place where the particle crosses y = 0, as a function of the control."""
        library, xp, data, dt = self.library, self.xp, self.data, particle.DT

        def slope(place: Any, charges: Any) -> Any:
            def potential(place: Any) -> Any:
                away = place - charges
                return xp.sum(1.0 / xp.sqrt(xp.sum(away * away, axis=1)))

            return library.derivative_in_mode(potential, inner)(place)

        def move(place: Any, velocity: Any, charges: Any) -> tuple[Any, Any]:
            return place + dt * velocity, velocity - dt * slope(place, charges)

        move = library.recorded(move, data["place"], data["velocity"], data["charges"])

        def landing(w: Any) -> Any:
            charges = data["charges"] + w * data["moved"]

            def step(state: tuple[Any, Any]) -> tuple[Any, Any]:
                return move(*state, charges)

            def will_land(state: tuple[Any, Any]) -> Any:
                place, velocity = library.decisive(state[0]), library.decisive(state[1])
                return place[1] + dt * velocity[1] <= 0

            place, velocity = library.repeat_until(will_land, step, (data["place"], data["velocity"]))
            place = place + dt * velocity
            crossing = place[0] - place[1] / velocity[1] * velocity[0]
            return crossing * crossing

        return landing

    def search(self, outer: str, inner: str) -> Function:
        landing = self.landing(inner)
        gradient = self.library.derivative_of_loop(landing, outer)
        return lambda w: self.library.minimize(landing, gradient, w)

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        return super().finish(library, part, value)[0]


class Saddle(Optimization):
    """The saddle point of a quadratic function, by minimising over x what is the maximum over y."""

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        self.parameters = [library.array(saddle.prepare(value))]

    def search(self, outer: str, inner: str) -> Function:
        library, xp = self.library, self.xp

        def function(x: Any, y: Any) -> Any:
            return xp.sum(x * x) - xp.sum(y * y)

        def descent(x: Any, y: Any) -> Any:
            return library.derivative_in_mode(lambda y: -function(x, y), inner)(y)

        (start,) = self.parameters
        other = start + 0.0  # a recording tells its inputs apart by identity
        slope = library.recorded(descent, start, other)
        negative = library.recorded(lambda x, y: -function(x, y), start, other)

        def saddle_point(start: Any) -> Any:
            def best_y(x: Any) -> Any:
                return library.minimize(lambda y: negative(x, y), lambda y: slope(x, y), start)

            def highest(x: Any) -> Any:
                return function(x, best_y(x))

            x = library.minimize(highest, library.derivative_of_loop(highest, outer), start)
            return xp.concatenate([x, best_y(x)])

        return saddle_point
