"""Language models as programmers of fast kernels."""

from __future__ import annotations

from collections.abc import Sequence

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.kernels.catalogue import (
    COMPILED,
    DTYPES,
    FUNCTION,
    LANGUAGES,
    OPERATIONS,
    Operation,
    check_choice,
    get_operation,
)

_ARRAYS = {"numpy": "NumPy arrays", "numba": "NumPy arrays", "torch": "PyTorch tensors on the CPU"}
_MAY_USE = {
    "c": "the standard library of C and the intrinsics of the processor",
    "cpp": "the standard library of C++ and the intrinsics of the processor",
    "numpy": "NumPy and the standard library of Python",
    "numba": "Numba, NumPy and the standard library of Python",
    "torch": "PyTorch, with `torch.compile` if it helps, and the standard library of Python",
}


class KernelProgrammingScenario(Scenario):
    """Write a fast kernel for an operation on arrays.

    Every instance is a test instance without references: one operation, what its kernel is called and gets. `extra_data` holds
    `operation`, `language` and `dtype`; the inputs on which kernels are tried are made for each answer.

    Args:
        operations: names of operations, all by default.
        language: `c`, `cpp`, `numpy`, `numba` or `torch`: what the kernel is written in.
        dtype: `float32` or `float64`: the type of the arrays.
    Raises: ConfigError for a name that does not exist.
    """

    name = "kernel_programming"
    description = "Write a fast kernel for an operation, in a given language; it is run, checked and timed."
    tags = ["performance", "coding"]

    def __init__(self, operations: Sequence[str] = tuple(OPERATIONS), language: str = "c", dtype: str = "float32"):
        super().__init__()
        check_choice("language", language, LANGUAGES)
        check_choice("dtype", dtype, DTYPES)
        self._operations = [get_operation(name) for name in operations]
        self._language, self._dtype = language, dtype

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(
                Input(text=make_prompt(operation, self._language, self._dtype)),
                references=[],
                split=TEST_SPLIT,
                extra_data={"operation": operation.name, "language": self._language, "dtype": self._dtype},
            )
            for operation in self._operations
        ]

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="fast_1",
            main_split=TEST_SPLIT,
            display_name="Kernel programming",
            description=self.description,
        )


def make_prompt(operation: Operation, language: str, dtype: str) -> str:
    """Return the request to the model. Its first line is what `KernelBaselineClient` reads."""
    arrays = ", ".join(
        f"{array.name} of shape ({', '.join(array.dimensions)}{',' if len(array.dimensions) == 1 else ''})"
        for array in (*operation.inputs, operation.output)
    )
    integers = " out contains 64-bit integers." if operation.output.is_count else ""
    if language in COMPILED:
        linkage = ' with C linkage (extern "C")' if language == "cpp" else ""
        form = (
            f"Define `{operation.declaration(language, dtype)};`{linkage}. It is compiled with `-O3 -march=native`. Arrays are "
            "contiguous, row by row, and do not overlap."
        )
    else:
        form = f"Define `{operation.declaration(language, dtype)}:`. All of them are contiguous {_ARRAYS[language]}."
    return (
        f"Operation: {operation.name}, language: {LANGUAGES[language]}, type: {dtype}\n\n"
        f"Write a kernel, a function `{FUNCTION}` that computes this: {operation.definition}\n\n"
        f"The arrays are {arrays}, of the type {dtype}.{integers} {form} The function writes its result to `out`, which has "
        "arbitrary content before, and does not change its inputs.\n\n"
        f"It may use {_MAY_USE[language]}. It must be right for all shapes that are not empty, to the precision of {dtype}, and "
        "as fast as possible; it is timed on several large inputs that are different in each call. It uses one thread, "
        "computes everything anew in each call, is done when it returns, and neither reads files nor changes clocks.\n\n"
        f"An example:\n\n{_example(operation, dtype)}\n\n"
        "Answer with one code block."
    )


def _example(operation: Operation, dtype: str) -> str:
    """Return the first input on which kernels are tried, and its output, an array a line."""
    import numpy as np

    from helm.kernels.reference import REFERENCES

    reference = REFERENCES[operation.name]
    parameters = [(array.name, array.dimensions) for array in operation.inputs]
    inputs = reference.make_inputs(np.random.default_rng(0), parameters, reference.example, dtype, reference.usual)
    output, _ = reference.judge(inputs, reference.example, dtype)
    names = [array.name for array in (*operation.inputs, operation.output)]
    return "\n".join(f"{name} = {array.tolist()}" for name, array in zip(names, [*inputs, output], strict=True))
