"""What the functions of the evals as CasADi graphs have in common; ``ca`` is the package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

Array = np.ndarray


class Problem(ABC):
    """One input of an eval: a symbolic function of a vector, and numbers that the graph takes as its second input."""

    primal_name: ClassVar[str] = "primal"
    derivative_name: ClassVar[str] = "gradient"
    is_repeated: ClassVar[bool] = True

    x: Array
    data: Array = np.zeros(0)

    @abstractmethod
    def __init__(self, value: Any):
        """Read the input of a message. Raises: ValueError if it is not an input of this eval."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of the eval's functions."""
        return cls.primal_name, cls.derivative_name

    @abstractmethod
    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        """The function to differentiate."""

    def primal_graph(self, ca: Any, x: Any, data: Any) -> Any:
        return self.graph(ca, x, data)

    def derivative_graph(self, ca: Any, x: Any, data: Any) -> Any:
        return ca.gradient(self.graph(ca, x, data), x)

    def build(self, ca: Any, name: str) -> Callable[[], Any]:
        """The function ``name`` of this input, ready to run."""
        x, data = ca.MX.sym("x", len(self.x)), ca.MX.sym("data", len(self.data))
        value = self.primal_graph(ca, x, data) if name == self.primal_name else self.derivative_graph(ca, x, data)
        function = ca.Function("f", [x, data], [value])
        arguments = ca.DM(self.x), ca.DM(self.data)
        return lambda: function(*arguments)

    def finish(self, name: str, value: Any) -> Any:
        """Return JSON data of a value of the function ``name``."""
        numbers = flat(value)
        return float(numbers[0]) if name == self.primal_name else numbers.tolist()


def flat(value: Any) -> Array:
    """Return the numbers of a matrix of CasADi, column by column."""
    return np.array(value.full(), dtype=float).reshape(-1, order="F")
