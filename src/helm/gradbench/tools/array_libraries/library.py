"""The interface that a library for differentiating array code needs to run the functions of ``primals``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from helm.gradbench.tools.array_libraries.primals import Problem
from helm.gradbench.tools.array_libraries.problems import PROBLEMS
from helm.gradbench.tools.numpy_derivatives.descent import CLOSE, FIRST_STEP, STEPS_TO_GROW
from helm.gradbench.tools.server import ToolError, ToolFunction, ToolModule

Function = Callable[..., Any]

# The evals' own inputs take up to 355.
_MAX_ROUNDS = 4096
_NO_END = "The search did not end within the rounds that this tool allows it."


class ArrayLibrary(ABC):
    """One library. Arrays are of double precision; ``xp`` is its namespace with the names of NumPy.

    Subclasses import their library when they are constructed, and raise ``OptionalDependencyNotInstalled`` without it.
    """

    name: ClassVar[str]
    has_second_derivatives: ClassVar[bool] = True
    has_directions: ClassVar[bool] = True
    """Whether ``derivatives_along`` is available."""

    nests_derivatives: ClassVar[bool] = False
    """Whether ``derivative_in_mode`` is available."""

    has_first_run: ClassVar[bool] = False
    """Whether the first run does more than later ones."""

    xp: Any

    @abstractmethod
    def array(self, values: Any) -> Any:
        """An array of doubles from nested lists or from NumPy."""

    @abstractmethod
    def detach(self, array: Any) -> Any:
        """The same numbers as a constant."""

    def decisive(self, array: Any) -> Any:
        """The numbers of a short array for decisions, which are not differentiated."""
        return self.detach(array)

    @abstractmethod
    def gradient(self, function: Function) -> Function:
        """The gradient of a scalar function by all its arguments, as a tuple, in the shapes of the arguments."""

    def integers(self, values: Any) -> Any:
        """An array of whole numbers, for indices and counting."""
        return values

    def constant(self, value: float) -> Any:
        """One number as an array."""
        return self.array(value)

    def plain(self, array: Any) -> Any:
        """Return the array as NumPy's, with its type."""
        import numpy as np

        return np.asarray(array)

    def value(self, function: Function) -> Function:
        """The function without derivatives."""
        return function

    def hessian_row_sums(self, function: Function) -> Function:
        """Gradient of a function of one array, and its Hessian times a vector of ones: the diagonal if it has no more."""
        raise NotImplementedError(f"{self.name} has no second derivatives.")

    def repeat(self, step: Callable[[Any], Any], start: Any, count: int) -> Any:
        """``step`` applied ``count`` times."""
        for _ in range(count):
            start = step(start)
        return start

    def scan(self, step: Callable[[Any, Any], tuple[Any, Any]], state: Any, inputs: Any) -> Any:
        """Return the output of ``step`` for each row of ``inputs`` in turn; it also takes and returns a state."""
        outputs = []
        for i in range(inputs.shape[0]):
            state, output = step(state, inputs[i])
            outputs.append(output)
        return self.xp.stack(outputs)

    def sum_over(self, term: Function, *tables: Any) -> Any:
        """Return the sum of ``term`` over the rows of tables of equal length."""
        total = term(*(table[0] for table in tables))
        for i in range(1, len(tables[0])):
            total = total + term(*(table[i] for table in tables))
        return total

    def component_gradients(self, function: Function, count: int) -> Function:
        """Return, for each of the ``count`` rows of a function's value, the gradient of the row's sum by the one array."""
        gradients = [self.gradient(lambda x, i=i: self.xp.sum(function(x)[i])) for i in range(count)]
        return lambda x: [gradient(x)[0] for gradient in gradients]

    def derivatives_along(self, function: Function, directions: list[list[Any]]) -> Function:
        """The derivatives of a function's value along each direction, which has an array for each argument."""
        raise NotImplementedError(f"{self.name} has no derivatives along a direction.")

    def derivative_in_mode(self, function: Function, mode: str) -> Function:
        """The gradient of a scalar function of one short array, to be differentiated again.

        Args:
            mode: ``f`` for forward, ``r`` for reverse.
        """
        raise NotImplementedError(f"{self.name} does not differentiate derivatives.")

    def derivative_of_loop(self, function: Function, mode: str) -> Function:
        """The same as ``derivative_in_mode``, of a function that branches on values and whose inner derivatives are recorded."""
        return self.derivative_in_mode(function, mode)

    def recorded(self, function: Function, *arguments: Any) -> Function:
        """A function of arrays whose course does not depend on their values, perhaps as a list of its operations.

        Args:
            arguments: arrays of the shapes that the function will be called with.
        """
        return function

    def repeat_until(self, is_done: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
        """``step`` applied until ``is_done``, to be differentiated in both modes.

        Raises: ToolError when it never is; a library that compiles loops gives NaN instead.
        """
        for _ in range(_MAX_ROUNDS):
            if is_done(state):
                return state
            state = step(state)
        raise ToolError(_NO_END)

    def minimize(self, value: Function, gradient: Function, start: Any) -> Any:
        """Where the evals' descent from ``start`` ends, to be differentiated in both modes.

        Raises: ToolError when it never does; a library that compiles loops gives NaN instead.
        """
        x, best, slope, length, successes = start, value(start), gradient(start), FIRST_STEP, 0
        for _ in range(_MAX_ROUNDS):
            if self.length(slope) <= CLOSE:
                return x
            if successes == STEPS_TO_GROW:
                length, successes = 2 * length, 0
                continue
            trial = x - length * slope
            if self.length(x - trial) <= CLOSE:
                return x
            found = value(trial)
            if self.detach(found) < self.detach(best):
                x, best, slope, successes = trial, found, gradient(trial), successes + 1
            else:
                length, successes = length / 2, 0
        raise ToolError(_NO_END)

    def length(self, vector: Any) -> Any:
        """Return the Euclidean norm for decisions; it is not differentiated."""
        vector = self.detach(vector)
        return self.xp.sqrt(self.xp.sum(vector * vector))

    def numpy(self, array: Any) -> Any:
        """The array as NumPy's."""
        import numpy as np

        return np.asarray(array, dtype=np.float64)

    def compile(self, function: Function, problem: Problem) -> Function:
        """A compiled form of a function of the problem's parameters, for arrays of the problem's shapes."""
        raise NotImplementedError(f"{self.name} does not compile.")

    def wait(self, value: Any) -> Any:
        """Return once the value is available."""
        return value

    is_asynchronous: bool = False
    device: str = "cpu"
    """Where the arrays are, with the name of an accelerator."""

    compiles: ClassVar[bool] = False

    def functions(self, module: str) -> ToolModule | None:
        """Return the functions of an eval; None if the library cannot express it."""
        problem_class = PROBLEMS.get(module)
        if problem_class is None or (problem_class.needs_second_derivatives and not self.has_second_derivatives):
            return None
        if problem_class.needs_directions and not self.has_directions:
            return None
        if problem_class.nests_derivatives and not self.nests_derivatives:
            return None
        return _module(self, problem_class)


def _module(library: ArrayLibrary, problem_class: type[Problem]) -> Mapping[str, ToolFunction]:
    def make(name: str) -> ToolFunction:
        part = {problem_class.primal_name: "primal", problem_class.derivative_name: "derivative"}.get(name, name)

        def prepare(value: Any) -> tuple[Function, Problem]:
            problem = problem_class(library, value)
            return problem.part(name), problem

        def compiled(prepared: tuple[Function, Problem]) -> Function:
            function = library.compile(*prepared)
            return lambda prepared: function(*prepared[1].parameters)

        return ToolFunction(
            lambda prepared: prepared[0](*prepared[1].parameters),
            prepare=prepare,
            finish=lambda value: problem_class.finish(library, part, value),
            is_repeated=problem_class.is_repeated,
            compile=compiled if library.compiles and problem_class.is_repeated else None,
            wait=library.wait if library.is_asynchronous else None,
            # Among tens of thousands of gradients in one run of a descent, what the first one does more does not show.
            has_first_run=library.has_first_run and problem_class.is_repeated and not problem_class.nests_derivatives,
        )

    return {name: make(name) for name in problem_class.names()}
