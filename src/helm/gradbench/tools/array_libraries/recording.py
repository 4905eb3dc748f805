"""Functions of arrays as lists of their operations, for HIPS autograd.

autograd finds out anew in every call what a function does, and does so again for each derivative around it. Where the course of
a function does not depend on the numbers, it is the same each time. A recording is made by autograd itself: of the function,
with whatever derivatives it contains, and of its derivatives in both modes. Afterwards a call is one operation.

This module needs autograd when it is imported, because its classes are autograd's; only ``AutogradLibrary`` imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import autograd.numpy as np
from autograd.core import JVPNode, VJPNode, sparse_add, sparse_object_types, vspace
from autograd.extend import defjvp, defjvp_argnums, defvjp, defvjp_argnums, primitive
from autograd.tracer import Node, isbox, new_box, toposort, trace_stack

Function = Callable[..., Any]

_IN_PLACE = ("mut_add", "sparse_add")
"""Operations of autograd that change their arguments."""


class _Recorder(Node):
    """One operation: the tracer makes a node for each."""

    __slots__ = ["operations", "name"]

    def __init__(self, value: Any, fun: Any, args: Any, kwargs: Any, parent_argnums: Any, parents: Any):
        self.operations = parents[0].operations
        self.name = self.operations.add(fun, args, kwargs, dict(zip(parent_argnums, parents, strict=True)))

    def initialize_root(self, operations: _Operations, name: str) -> None:
        self.operations, self.name = operations, name


class _Operations:
    """The operations of a function as lines of a program."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {}
        """What the program refers to: operations and constants."""

    def constant(self, value: Any) -> str:
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name

    def add(self, fun: Any, args: Any, kwargs: Any, parents: dict[int, _Recorder]) -> str:
        copies = getattr(fun, "__name__", "") in _IN_PLACE
        words = []
        for number, arg in enumerate(args):
            if number in parents:
                words.append(parents[number].name)
            else:
                words.append(self.constant(arg) + (".copy()" if copies and hasattr(arg, "copy") else ""))
        words += [f"{key}={self.constant(value)}" for key, value in kwargs.items()]
        result = f"v{len(self.lines)}"
        self.lines.append(f"    {result} = {self.constant(fun)}({', '.join(words)})")
        return result

    def compile(self, inputs: Sequence[str], outputs: Sequence[str], is_plain: bool) -> Function:
        """Return the program as a function of arrays. Plain ones do not look for tracers in their arguments."""
        names = {name: getattr(value, "fun", value) if is_plain else value for name, value in self.names.items()}
        source = "\n".join([f"def program({', '.join(inputs)}):", *self.lines, f"    return [{', '.join(outputs)}]"])
        exec(compile(source, "recording.py", "exec"), names)  # lines that were made above
        return names["program"]


def _trace(function: Function, arguments: Sequence[Any]) -> tuple[Function, Function]:
    """Return the function as programs, one for plain arrays and one for any; its value is a list of arrays."""
    operations = _Operations()
    inputs = [f"x{i}" for i in range(len(arguments))]
    with trace_stack.new_trace() as number:
        boxes = [
            new_box(argument, number, _Recorder.new_root(operations, name))
            for argument, name in zip(arguments, inputs, strict=True)
        ]
        values = function(*boxes)
        outputs = [
            value._node.name if isbox(value) and value._trace == number else operations.constant(value)
            for value in values
        ]
    return operations.compile(inputs, outputs, True), operations.compile(inputs, outputs, False)


def _gradients(function: Function, arguments: Sequence[Any], g: Any) -> list[Any]:
    """Pull ``g`` back to the arguments, in one go."""
    with trace_stack.new_trace() as number:
        roots = [VJPNode.new_root() for _ in arguments]
        (end,) = function(*(new_box(a, number, root) for a, root in zip(arguments, roots, strict=True)))
    if not (isbox(end) and end._trace == number):
        return [np.zeros(np.shape(a)) for a in arguments]
    found = {end._node: g}
    for node in toposort(end._node):
        if node.parents:
            outer = found.pop(node)
            for parent, inner in zip(node.parents, node.vjp(outer), strict=True):
                space = vspace(inner)
                dense = sparse_add(space, None, inner) if type(inner) in sparse_object_types else inner
                found[parent] = space.add(found[parent], dense) if parent in found else dense
    return [found.get(root, np.zeros(np.shape(a))) for root, a in zip(roots, arguments, strict=True)]


def _tangent(function: Function, arguments: Sequence[Any], tangents: Sequence[Any]) -> Any:
    """Push tangents of the arguments forward to the value."""
    with trace_stack.new_trace() as number:
        pairs = zip(arguments, tangents, strict=True)
        (end,) = function(*(new_box(a, number, JVPNode.new_root(tangent)) for a, tangent in pairs))
    return end._node.g if isbox(end) and end._trace == number else np.zeros(np.shape(end))


@primitive
def _part(flat: Any, start: int, shape: tuple[int, ...]) -> Any:
    """An array that begins at a place of a flat one."""
    size = 1
    for length in shape:
        size *= length
    return flat[start : start + size].reshape(shape)


@primitive
def _embedded(part: Any, start: int, size: int) -> Any:
    """The reverse of ``_part``: zeros elsewhere."""
    flat = np.zeros(size)
    flat[start : start + part.size] = part.reshape(-1)
    return flat


defvjp(_part, lambda ans, flat, start, shape: lambda g: _embedded(g, start, flat.size), argnums=[0])
defvjp(_embedded, lambda ans, part, start, size: lambda g: _part(g, start, part.shape), argnums=[0])
defjvp(_part, lambda g, ans, flat, start, shape: _part(g, start, shape), argnums=[0])
defjvp(_embedded, lambda g, ans, part, start, size: _embedded(g, start, size), argnums=[0])


def record(function: Function, *arguments: Any) -> Function:
    """Return the function as one operation of autograd, with derivatives in both modes.

    Args:
        function: of arrays, whose course does not depend on their numbers; its value is an array or a tuple of arrays.
        arguments: arrays of the shapes that it will be called with.
    """
    value = function(*arguments)
    is_tuple = isinstance(value, tuple)
    shapes = [np.shape(part) for part in (value if is_tuple else (value,))]
    starts = [0]
    for shape in shapes:
        starts.append(starts[-1] + int(np.prod(shape)))

    def flat(*arguments: Any) -> list[Any]:
        value = function(*arguments)
        return [np.concatenate([np.reshape(part, -1) for part in value]) if is_tuple else value]

    plain, traced = _trace(flat, arguments)
    g = np.zeros(starts[-1]) if is_tuple else np.zeros(shapes[0])
    pull, pull_traced = _trace(lambda g, *arguments: _gradients(traced, arguments, g), (g, *arguments))
    count = len(arguments)
    push, push_traced = _trace(
        lambda *both: [_tangent(traced, both[:count], both[count:])],
        (*arguments, *(np.ones(np.shape(argument)) for argument in arguments)),
    )

    @primitive
    def run(*arguments: Any) -> Any:
        return plain(*arguments)[0]

    def vjp(argnums: Any, ans: Any, args: Any, kwargs: Any) -> Function:
        def pulled(g: Any) -> list[Any]:
            found = (pull_traced if _any_boxed((g, *args)) else pull)(g, *args)
            return [found[number] for number in argnums]

        return pulled

    def jvp(argnums: Any, gs: Any, ans: Any, args: Any, kwargs: Any) -> Any:
        tangents = [np.zeros(np.shape(arg)) for arg in args]
        for number, tangent in zip(argnums, gs, strict=True):
            tangents[number] = tangent
        return (push_traced if _any_boxed((*args, *tangents)) else push)(*args, *tangents)[0]

    defvjp_argnums(run, vjp)
    defjvp_argnums(run, jvp)
    if not is_tuple:
        return run

    def parts(*arguments: Any) -> Any:
        whole = run(*arguments)
        return tuple(_part(whole, start, shape) for start, shape in zip(starts, shapes, strict=False))

    return parts


def _any_boxed(values: Sequence[Any]) -> bool:
    return any(map(isbox, values))
