"""The operations that kernels compute: what each is called, its arrays, and what a model is told about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from helm.common.errors import ConfigError, suggest

FUNCTION = "kernel"
"""The name of the function that a model writes."""

DTYPES: Mapping[str, str] = {"float32": "float", "float64": "double"}
"""The types of the arrays, and what C calls them."""

LANGUAGES: Mapping[str, str] = {"c": "C", "cpp": "C++", "numpy": "NumPy", "numba": "Numba", "torch": "PyTorch"}
"""The languages of kernels and their titles."""

COMPILED = ("c", "cpp")
"""The languages whose kernels are compiled before they are loaded."""


@dataclass(frozen=True)
class Array:
    """A parameter of an operation."""

    name: str

    dimensions: tuple[str, ...]
    """The names of its dimensions; the same name has the same size everywhere in an operation."""

    is_count: bool = False
    """Whether it contains 64-bit integers instead of numbers of the operation's type."""


@dataclass(frozen=True)
class Operation:
    """One operation on arrays."""

    name: str

    inputs: tuple[Array, ...]

    output: Array

    definition: str
    """What the output contains, for the prompt."""

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of all dimensions, in the order in which a compiled kernel gets their sizes."""
        arrays = (*self.inputs, self.output)
        return tuple(dict.fromkeys(name for array in arrays for name in array.dimensions if not name.isdigit()))

    def declaration(self, language: str, dtype: str) -> str:
        """Return the head of the function that the model writes."""
        if language not in COMPILED:
            return f"def {FUNCTION}({', '.join(array.name for array in (*self.inputs, self.output))})"
        number = DTYPES[dtype]
        result = "int64_t" if self.output.is_count else number
        parameters = [f"const {number} *{array.name}" for array in self.inputs] + [f"{result} *{self.output.name}"]
        parameters += [f"int64_t {name}" for name in self.dimensions]
        return f"void {FUNCTION}({', '.join(parameters)})"


def _operation(name: str, inputs: str, output: str, definition: str, is_count: bool = False) -> Operation:
    """Make an operation of arrays written as `name[dimension,dimension]`, separated by spaces."""

    def read(text: str, counts: bool = False) -> Array:
        array, _, dimensions = text.removesuffix("]").partition("[")
        return Array(array, tuple(dimensions.split(",")), counts)

    return Operation(name, tuple(map(read, inputs.split())), read(output, is_count), definition)


OPERATIONS: Mapping[str, Operation] = {
    operation.name: operation
    for operation in (
        _operation("dot", "x[n] y[n]", "out[1]", "out[0] is the sum of x[i] * y[i] over all i."),
        _operation("matmul", "a[m,k] b[k,n]", "out[m,n]", "out is the matrix product of a and b."),
        _operation("transpose", "x[m,n]", "out[n,m]", "out[j, i] is x[i, j], bit by bit, also where that is NaN."),
        _operation(
            "softmax", "x[rows,columns]", "out[rows,columns]",
            "Each row of out is the softmax of that row of x: exp(x[i, j]) divided by the sum of exp(x[i, :]). Numbers "
            "may be as large as 1e5, and some of a row, never all, may be minus infinity.",
        ),
        _operation(
            "layernorm", "x[rows,columns] weight[columns] bias[columns]", "out[rows,columns]",
            "out[i, j] is (x[i, j] - mean) / sqrt(variance + 1e-5) * weight[j] + bias[j], where mean and variance are those "
            "of the row i; the variance divides by the number of columns.",
        ),
        _operation(
            "gelu", "x[n]", "out[n]",
            "out[i] is 0.5 * x[i] * (1 + tanh(sqrt(2 / pi) * (x[i] + 0.044715 * x[i]**3))).",
        ),
        _operation(
            "conv1d", "x[channels_in,length] weight[channels_out,channels_in,width]",
            "out[channels_out,positions]",
            "out[o, t] is the sum of weight[o, c, w] * x[c, t + w] over all c and w; positions is length - width + 1.",
        ),
        _operation("prefix_sum", "x[n]", "out[n]", "out[i] is the sum of x[0] to x[i], both included."),
        _operation(
            "histogram", "x[n]", "out[bins]",
            "out[b] is the number of x[i] with b <= x[i] * bins < b + 1. bins is a power of two. Numbers below 0 or not "
            "below 1, and NaN, are not counted.", is_count=True,
        ),
        _operation(
            "sort", "x[n]", "out[n]",
            "out contains the numbers of x in ascending order. There may be equal ones and infinities, but no NaN.",
        ),
        _operation(
            "attention", "q[n,d] k[m,d] v[m,d]", "out[n,d]",
            "out is softmax(q k^T / sqrt(d)) v, where softmax works on rows.",
        ),
        _operation(
            "stencil", "x[m,n]", "out[m,n]",
            "out[i, j] is 0.25 * (x[i-1, j] + x[i+1, j] + x[i, j-1] + x[i, j+1]); on the border of the array it is x[i, j].",
        ),
    )
}  # fmt: skip
"""The operations by name."""


def get_operation(name: str) -> Operation:
    """Return an operation. Raises ConfigError for an unknown name."""
    if name not in OPERATIONS:
        known = ", ".join(OPERATIONS)
        raise ConfigError(f"Unknown operation '{name}'. The operations are {known}.{suggest(name, OPERATIONS)}")
    return OPERATIONS[name]


def check_choice(what: str, value: str, choices: Mapping[str, str]) -> None:
    """Raises ConfigError for a value that is none of the choices."""
    if value not in choices:
        known = ", ".join(choices)
        raise ConfigError(f"kernel_programming: {what} must be one of {known}, not '{value}'.{suggest(value, choices)}")
