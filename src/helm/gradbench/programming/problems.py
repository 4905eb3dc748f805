"""The problems for language models: for each eval, a function as source code, its input and the form of the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from helm.common.errors import ConfigError, HelmError, suggest
from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.driver import parse_eval
from helm.gradbench.evals.registry import find_eval_class
from helm.gradbench.programming.native import Parameter, cpp_declaration, ocaml_declaration

LIBRARIES: Mapping[str, str] = {
    "numpy": "import numpy as xp",
    "autograd": "import autograd.numpy as xp",
    "pytorch": "import torch as xp",
    "cpp": "import numpy as xp",
    "ocaml": "import numpy as xp",
    "jax": 'import jax\nimport jax.numpy as xp\n\njax.config.update("jax_enable_x64", True)',
}
"""The beginning of a function's source in each library. Programs of C++ and OCaml are asked for with the source in NumPy."""

_NATIVE = {"cpp": "C++", "ocaml": "OCaml"}
"""The languages of compiled programs, with their titles."""
_TITLES = {"numpy": "NumPy", "autograd": "HIPS autograd", "pytorch": "PyTorch", "jax": "JAX"}
_ARRAYS = {
    "numpy": "NumPy arrays",
    "autograd": "NumPy arrays",
    "pytorch": "PyTorch tensors of type float64, on the CPU, that do not require gradients",
    "jax": "JAX arrays",
}


class AnswerFormError(HelmError):
    """An answer does not have the requested form."""


@dataclass(frozen=True)
class Problem:
    """The function of one eval, and what the model has to write."""

    eval_name: str

    function: str
    """Name of the function that the model writes; the eval has one of this name."""

    signature: str
    """The parameters of the function."""

    answer: str
    """What the function has to return, for the prompt."""

    flags: tuple[str, ...]
    """Flags of the eval that say which small workloads its answers are tried on."""

    arguments: Callable[[Any], list[Any]]
    """Maps an input of the eval to the arguments of the function: numbers, nested lists (arrays), `Plain`."""

    finish: Callable[[Any, Any], Any]
    """Maps an input and the function's value as nested lists to the output that the eval expects.

    May raise any exception if the value has another form.
    """

    shapes: Callable[[Any], list[tuple[int, ...]]]
    """Maps an input of the eval to the shapes of the arrays in the function's value; () is a number."""

    def prompt(self, library: str) -> str:
        """Return the request to the model. Raises ConfigError for an unknown library."""
        check_library(library)
        if library in _NATIVE:
            return self._native_prompt(library)
        others = " or ".join(name for key, name in _TITLES.items() if key not in (library, "numpy"))
        allowed = _TITLES[library] if library == "numpy" else f"NumPy, {_TITLES[library]}"
        return (
            f"Here is a Python program that uses {_TITLES[library]}:\n\n"
            f"```python\n{self.source(library)}```\n\n"
            f"Write the function `{self.function}({self.signature})`. {self.answer}\n\n"
            f"Arrays are given as {_ARRAYS[library]}, all other arguments as plain Python values. Return arrays of the "
            "same library, in double precision. Your code is run after the program above and may use what it defines. "
            f"It may import {allowed} and the standard library, but not {others}. The result must be exact to rounding "
            "errors, and the function should be as fast as possible for large inputs; it is timed.\n\n"
            "Answer with one Python code block."
        )

    def _native_prompt(self, library: str) -> str:
        title, name = _NATIVE[library], self.name_in(library)
        if library == "cpp":
            declaration = f'#include <cstdint>\n\nextern "C" {cpp_declaration(name, self.parameters())};'
            given = "each followed by its sizes. "
            compiled = "`-O3 -march=native`"
        else:
            declaration = ocaml_declaration(name, self.parameters())
            given = "and a number that is returned is written to an array of one. "
            compiled = "`ocamlopt -O3 -unsafe -inline 200`"
        return (
            f"Here is a Python program that uses NumPy:\n\n```python\n{self.source(library)}```\n\n"
            f"Write a function in {title} that does what a Python function `{self.function}({self.signature})` would do. "
            f"{self.answer}\n\nDeclare it so:\n\n```{library}\n{declaration}\n```\n\n"
            f"Arrays are contiguous, row by row, {given}The function writes what the Python function would "
            f"return to the last parameters, in that order. It is compiled with {compiled} and may use the standard "
            f"library of {title}. The result must be exact to rounding errors, and the function should be as fast as possible "
            "for large inputs; it is timed.\n\n"
            f"Answer with one {title} code block that contains the whole program."
        )

    def parameters(self) -> list[Parameter]:
        """Return the parameters of the function in a compiled language."""
        value = self.inputs()[0]
        parameters = []
        for name, argument in zip(self.signature.split(", "), self.arguments(value), strict=True):
            plain = argument.value if isinstance(argument, Plain) else argument
            parameters.append(Parameter(name, "double" if _is_float(plain) else "int64_t", _depth(plain)))
        shapes = self.shapes(value)
        names = [f"out{i}" for i in range(len(shapes))] if len(shapes) > 1 else ["out"]
        return parameters + [
            Parameter(name, "double", len(shape), True) for name, shape in zip(names, shapes, strict=True)
        ]

    def name_in(self, library: str) -> str:
        """Return what the model has to call the function; some names are no names in C++."""
        return f"{self.eval_name}_{self.function}" if library in _NATIVE else self.function

    def source(self, library: str) -> str:
        """Return the function to differentiate, in a library."""
        source = _read_primal(self.eval_name)
        source, count = re.subn(
            r"^import numpy as xp(  # noqa.*)?$", lambda _: LIBRARIES[library], source, flags=re.MULTILINE
        )
        assert count == 1, f"The function of {self.eval_name} does not begin with `import numpy as xp`."
        return source

    def inputs(self) -> list[Any]:
        """Return inputs of the eval, the same in each call."""
        if self.eval_name == "hello":
            return [3.0, -0.75]
        runs = ["--min-runs", "1", "--min-seconds", "0"]
        evaluations = parse_eval(self.eval_name, [*self.flags, *runs]).evaluations()
        inputs = [evaluation.input for evaluation in evaluations if evaluation.function == self.function]
        return [_smaller(self.eval_name, value) for value in inputs]

    def analyze(self, value: Any, output: Any) -> Analysis:
        """Return the strict verdict on what the model's function returned (nested lists) for an input of the eval."""
        try:
            finished = self.finish(value, output)
        except AnswerFormError as error:
            return Analysis(False, str(error))
        except (TypeError, ValueError, IndexError, KeyError, OverflowError) as error:
            return Analysis(False, f"the answer has another form than was asked for: {error}")
        eval_ = parse_eval(self.eval_name, [])
        return eval_.analyze(self.function, value, finished, strict=True)


@dataclass(frozen=True)
class Plain:
    """An argument that is not converted to an array, although it is a list."""

    value: Any


def check_library(library: str) -> None:
    """Raises ConfigError for an unknown library."""
    if library not in LIBRARIES:
        known = ", ".join(LIBRARIES)
        raise ConfigError(
            f"ad_programming: library must be one of {known}, not '{library}'.{suggest(library, LIBRARIES)}"
        )


@cache
def _read_primal(name: str) -> str:
    return resources.files("helm.gradbench.programming.primals").joinpath(f"{name}.py").read_text(encoding="utf-8")


_NUM_CAMERAS, _NUM_POINTS, _NUM_OBSERVATIONS = 2, 3, 12
_NUM_HAND_POINTS = 20


def _smaller(name: str, value: Any) -> Any:
    """A workload of ba or ht with few observations, as their smallest ones have many."""
    if name == "ba":
        return {**value, "n": _NUM_CAMERAS, "m": _NUM_POINTS, "p": _NUM_OBSERVATIONS}
    if name == "ht":
        few = {key: value["data"][key][:_NUM_HAND_POINTS] for key in ("correspondences", "points")}
        return {**value, "data": {**value["data"], **few}, "us": value["us"][:_NUM_HAND_POINTS]}
    return value


# --- forms of inputs and answers --------------------------------------------------------------------------------------


def _shape(value: Any) -> tuple[int, ...]:
    """Return the shape of nested lists. Raises AnswerFormError if their lengths differ or they hold no numbers."""
    if not isinstance(value, list):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise AnswerFormError(f"a number was expected, got {type(value).__name__}")
        return ()
    shapes = {_shape(item) for item in value}
    if len(shapes) > 1:
        raise AnswerFormError("an array was expected, got lists of several lengths")
    return (len(value), *(shapes.pop() if shapes else ()))


def _array(value: Any, *shape: int) -> Any:
    """Return the value with floats. Raises AnswerFormError unless it has this shape."""
    if _shape(value) != shape:
        raise AnswerFormError(f"an array of shape {shape} was expected, got one of shape {_shape(value)}")
    return _floats(value)


def _floats(value: Any) -> Any:
    return [_floats(item) for item in value] if isinstance(value, list) else float(value)


def _flat(value: Any) -> list[float]:
    return [number for item in value for number in _flat(item)] if isinstance(value, list) else [value]


def _several(value: Any, count: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != count:
        raise AnswerFormError(f"a tuple of {count} arrays was expected")
    return value


def _depth(value: Any) -> int:
    return 1 + _depth(value[0]) if isinstance(value, list) else 0


def _is_float(value: Any) -> bool:
    return any(map(_is_float, value)) if isinstance(value, list) else isinstance(value, float)


def _shape_of_x(value: Any) -> list[tuple[int, ...]]:
    return [(len(value["x"]),)]


def _like_x(value: Any, output: Any) -> Any:
    return _array(output, len(value["x"]))


def _llsq_arguments(value: Any) -> list[Any]:
    n = value["n"]
    return [value["x"], [(2 * i - (n - 1)) / (n - 1) for i in range(n)]]


def _rows(numbers: list[float], width: int) -> list[list[float]]:
    return [numbers[i : i + width] for i in range(0, len(numbers), width)]


def _gmm_arguments(value: Any) -> list[Any]:
    return [*(value[name] for name in ("alpha", "mu", "q", "l", "x")), value["gamma"], value["m"]]


def _gmm_finish(value: Any, output: Any) -> Any:
    names = ("alpha", "mu", "q", "l")
    parts = _several(output, len(names))
    return {name: _array(part, *_shape(value[name])) for name, part in zip(names, parts, strict=True)}


def _lstm_finish(value: Any, output: Any) -> Any:
    names = ("main_params", "extra_params")
    parts = _several(output, len(names))
    return [x for name, part in zip(names, parts, strict=True) for x in _flat(_array(part, *_shape(value[name])))]


def _ba_arguments(value: Any) -> list[Any]:
    n, m, p = value["n"], value["m"], value["p"]
    repeated = [[value["cam"]] * n, [value["x"]] * m, [value["w"]] * p, [value["feat"]] * p]
    return [*repeated, [i % n for i in range(p)], [i % m for i in range(p)]]


def _ba_finish(value: Any, output: Any) -> Any:
    """Return the first entries and the last of the sparse matrix; the model need not say which entry belongs where."""
    from helm.gradbench.evals.ba import golden_jacobian

    blocks = _array(output, value["p"], 2, 15)
    golden = golden_jacobian(value)
    largest = max(map(abs, _flat(blocks[0])), default=0.0)
    for i, block in enumerate(blocks):  # the same camera sees the same point each time
        differences = [abs(a - b) for a, b in zip(_flat(block), _flat(blocks[0]), strict=True)]
        if not max(differences) <= 1e-9 * max(largest, 1e-300):
            raise AnswerFormError(f"observation {i} has other derivatives than observation 0, of which it is a copy")
    return {**golden, "vals": [*_flat(blocks[0]), golden["vals"][-1]]}


def _ht_arguments(value: Any) -> list[Any]:
    model, data = value["data"]["model"], value["data"]
    corners = [model["triangles"][i] for i in data["correspondences"]]
    return [
        value["theta"],
        value["us"],
        Plain(model["parents"]),
        *(model[name] for name in ("base_relatives", "inverse_base_absolutes", "base_positions", "weights")),
        corners,
        data["points"],
        bool(model["is_mirrored"]),
    ]


_DESCENT = (
    "It computes the derivative itself: by hand or by automatic differentiation, not by differences. Everything is a "
    "plain float or a list of floats."
)

PROBLEMS: Mapping[str, Problem] = {
    problem.eval_name: problem
    for problem in (
        Problem(
            "hello", "double", "x", "It returns the derivative of `square` at the float x.", (),
            lambda value: [value], lambda _, output: _array(output), lambda _: [()],
        ),
        Problem(
            "lse", "gradient", "x", "It returns the gradient of `primal`, of shape (n,). Numbers of x may be large.",
            ("-n", "100", "1000"), lambda value: [value["x"]], _like_x, _shape_of_x,
        ),
        Problem(
            "llsq", "gradient", "x, points", "It returns the gradient of `primal` by x, of shape (m,).",
            ("-n", "16", "64", "-m", "8"), _llsq_arguments, _like_x, _shape_of_x,
        ),
        Problem(
            "det", "gradient", "a", "It returns the gradient of `primal`, of shape (l, l).",
            ("-l", "4", "5"), lambda value: [_rows(value["A"], value["ell"])],
            lambda value, output: _flat(_array(output, value["ell"], value["ell"])),
            lambda value: [(value["ell"], value["ell"])],
        ),
        Problem(
            "ode", "gradient", "x, steps", "It returns the gradient of the last number of `primal` by x, of shape (n,).",
            ("-n", "6", "20", "-s", "10"), lambda value: [value["x"], value["s"]], _like_x, _shape_of_x,
        ),
        Problem(
            "kmeans", "dir", "points, centroids",
            "It returns, of shape (k, d), the gradient of `cost` by the centroids divided, number by number, by the "
            "diagonal of the Hessian of `cost` by the centroids. Each centroid is the nearest of some point.",
            ("-k", "3", "-n", "20", "60", "-d", "2"), lambda value: [value["points"], value["centroids"]],
            lambda value, output: _array(output, *_shape(value["centroids"])), lambda value: [_shape(value["centroids"])],
        ),
        Problem(
            "gmm", "jacobian", "alpha, mu, q, triangle, x, gamma, m",
            "It returns the gradients of `objective` by alpha, mu, q and triangle: a tuple of four arrays of their shapes.",
            ("-d", "2", "3", "-k", "3", "-n", "20"), _gmm_arguments, _gmm_finish,
            lambda value: [_shape(value[name]) for name in ("alpha", "mu", "q", "l")],
        ),
        Problem(
            "lstm", "jacobian", "main, extra, state, sequence",
            "It returns the gradients of `objective` by main and extra: a tuple of two arrays of their shapes.",
            ("-l", "2", "-c", "4", "8"),
            lambda value: [value[name] for name in ("main_params", "extra_params", "state", "sequence")], _lstm_finish,
            lambda value: [_shape(value[name]) for name in ("main_params", "extra_params")],
        ),
        Problem(
            "ba", "jacobian", "cameras, points, weights, features, camera_of, point_of",
            "It returns an array of shape (p, 2, 15): of each observation the derivatives of its two errors by its own "
            "camera (11 numbers), its point (3 numbers) and its weight.",
            ("--min", "1", "--max", "1"), _ba_arguments, _ba_finish,
            lambda value: [(value["p"], 2, 15)],
        ),
        Problem(
            "ht", "jacobian",
            "theta, shares, parents, relatives, inverses, positions, weights, corners, points, is_mirrored",
            "It returns an array of shape (3 P, 28). The rows are the errors, point by point and x, y, z of each; the "
            "columns are the derivatives by the two shares of the point that the row belongs to, then by theta.",
            ("--min", "1", "--max", "1", "--model", "small"), _ht_arguments,
            lambda value, output: _array(output, 3 * len(value["data"]["points"]), 28),
            lambda value: [(3 * len(value["data"]["points"]), 28)],
        ),
        Problem(
            "particle", "rr", "w",
            "It returns the control at which `minimize` ends when it starts at the float w (a list of one) and its value "
            f"is `landing` with the acceleration that belongs to the potential; a float. {_DESCENT}",
            (), lambda value: [value["w"]], lambda _, output: _array(output), lambda _: [()],
        ),
        Problem(
            "saddle", "rr", "start",
            "It minimizes over x the maximum over y of `function(x, y)`, both from the list `start` and both with "
            f"`minimize`, and returns x and y where that ends: a list of four floats. {_DESCENT}",
            (), lambda value: [Plain(value["start"])], lambda _, output: _array(output, 4), lambda _: [(4,)],
        ),
    )
}  # fmt: skip
"""The problems by the name of the eval."""


def get_problem(eval_name: str) -> Problem:
    """Return the problem of an eval. Raises ConfigError for an eval that does not exist."""
    if eval_name not in PROBLEMS:
        known = ", ".join(PROBLEMS)
        if find_eval_class(eval_name) is not None:
            raise ConfigError(f"Language models can write no derivative for the eval '{eval_name}', only for {known}.")
        raise ConfigError(f"Unknown eval '{eval_name}'. The evals are {known}.{suggest(eval_name, PROBLEMS)}")
    return PROBLEMS[eval_name]
