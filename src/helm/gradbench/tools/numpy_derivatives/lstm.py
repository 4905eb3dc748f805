"""An elementwise LSTM that predicts the next character, and the gradient of its loss.

Layer after layer, each over all steps at once. Seen from inside a layer, its input x is known and with it the gates
forget and out. What is left is one recurrence for each bit, s' = forget s + q(out tanh(s)), where q is in times change.
Newton's method finds all s of a layer together: a guess, made linear, becomes a linear recurrence, which
``recurrence.solve`` solves in far fewer calls than there are steps. The first rounds only need single precision.
If the rounds do not converge, and for short texts, the steps are taken one by one. Going back is a linear recurrence
from the start.

The first guess is the solution of the recurrence made linear in out and s at their means.

Sigmoids and tanh are computed from exp: on processors without vectors of 512 bits, NumPy's tanh of doubles takes almost
three times as long as its exp. Where exp overflows, 1 / inf is the right limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.numpy_derivatives.recurrence import Blocks, before, solve
from helm.gradbench.tools.server import ToolFunction

Array = NDArray[Any]

_SEES_X, _SEES_H = [0, 2], [3, 1]
"""For the gates forget, in, out, change: which of them see the layer's input, and which its own old output."""

_TANH_OF = np.array([[1.0], [0.5]])
"""The factors of tanh's argument in change and in, where sigmoid(z) = (1 + tanh(z / 2)) / 2."""

_EXPONENTS = np.array([[-2.0], [-1.0]])
"""The factors of the exponents of change and in: tanh(z) = 2 / (1 + exp(-2 z)) - 1, sigmoid(z) = 1 / (1 + exp(-z))."""

_FIRST = (0, slice(None), 0, 0)
"""Where the first step stands in blocks."""


@dataclass(frozen=True)
class Network:
    """l layers over a text of c characters of b bits each."""

    main: Array
    """Shape (2 l, 4 b): weights and biases of each layer, in blocks forget, in, out, change."""

    extra: Array
    """Shape (3, b): weight of the input, weight and bias of the output."""

    state: Array
    """Shape (2 l, b): h and s of each layer at the start."""

    sequence: Array
    """Shape (c, b), zeros and ones."""


def prepare(value: Any) -> Network:
    """The input of a message. Raises ``ValueError`` if the shapes do not fit together."""
    names = ("main_params", "extra_params", "state", "sequence")
    main, extra, state, sequence = (np.array(value[name], dtype=np.float64) for name in names)
    b = sequence.shape[-1]
    rows = len(main)
    is_right = (main.shape, extra.shape, state.shape) == ((rows, 4 * b), (3, b), (rows, b))
    if not is_right or rows % 2 or not rows or sequence.ndim != 2 or len(sequence) < 2:
        shapes = f"{main.shape}, {extra.shape}, {state.shape} and {sequence.shape}"
        raise ValueError(f"lstm needs tables of (2l, 4b), (3, b), (2l, b) and (c, b) with c at least 2, got {shapes}.")
    return Network(main, extra, state, sequence)


# --- one layer ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Layer:
    """What one layer did in all steps: blocks of shape (n1, b, n2, n3)."""

    ARRAYS: ClassVar[int] = 5
    """The number of its own blocks: all except ``x``."""

    x: Array
    forget: Array
    out: Array
    cell: Array
    """s after each step."""

    cell_tanh: Array
    h: Array


def _spread(values: Array) -> Array:
    """Numbers of each bit, shape (..., b), for use with blocks."""
    return values[..., None, :, None, None]


def _run_layer(blocks: Blocks, network: Network, index: int, x: Array, methods: list[_Newton], room: Array) -> _Layer:
    """Run one layer over all steps.

    Args:
        methods: Newton's in single and in double precision, or nothing to take the steps one by one.
        room: where to keep the layer's arrays, as many blocks as ``_Layer.ARRAYS``.
    """
    b = x.shape[1]
    weights, biases = network.main[2 * index : 2 * index + 2].reshape(2, 4, b)
    state = network.state[2 * index : 2 * index + 2]
    gates, cell, tanh, h = room[:2], *room[2:]

    def recurrence(factor: float) -> _Recurrence:
        """Return the recurrence. Its gates are still what goes into them, times the factor."""
        np.multiply(x, _spread(factor * weights[_SEES_X]), out=gates)
        np.add(gates, _spread(factor * biases[_SEES_X]), out=gates)
        return _Recurrence(gates[0], gates[1], weights[_SEES_H], biases[_SEES_H], state[0], state[1])

    solved = None
    if methods:
        layer = recurrence(-1.0)
        _logistic(gates, 1.0)
        solved = _solved(layer, *methods)
    if solved is not None:
        cell[...] = solved
        _tanh(cell, tanh)
    else:
        # Where Newton's method fails, any rounding may grow, so what is rounded is what everybody rounds: tanh itself.
        layer = recurrence(0.5)
        np.tanh(gates, gates)
        gates *= 0.5
        gates += 0.5
        cell[...] = blocks.pack(_step_by_step(layer, blocks))
        np.tanh(cell, tanh)
    np.multiply(layer.out, tanh, out=h)
    return _Layer(x, layer.forget, layer.out, cell, tanh, h)


def _logistic(values: Array, top: float) -> Array:
    """Replace ``values`` by top / (1 + exp(values)), and return them."""
    with np.errstate(over="ignore"):
        np.exp(values, values)
    np.add(values, 1.0, values)
    return np.divide(top, values, out=values)


def _tanh(values: Array, out: Array) -> None:
    """Write tanh into ``out``, from exp."""
    np.multiply(values, -2.0, out)
    _logistic(out, 2.0)
    np.subtract(out, 1.0, out)


@dataclass(frozen=True)
class _Recurrence:
    """s' = forget s + sigmoid(z_1) tanh(z_0) with z = weights h + biases, h = out tanh(s)."""

    forget: Array
    out: Array
    weights: Array
    """Shape (2, b)."""

    biases: Array
    h: Array
    """Shape (b,), before the first step."""

    s: Array

    def added(self, h: Array) -> tuple[Array, Array]:
        """Return what a step adds to s, and its derivative by h; h has the shape (b,)."""
        change, in_ = np.tanh(_TANH_OF * (self.weights * h + self.biases))
        in_ = 0.5 * in_ + 0.5
        by_h = in_ * ((1 - in_) * change * self.weights[1] + (1 - change * change) * self.weights[0])
        return in_ * change, by_h


def _step_by_step(layer: _Recurrence, blocks: Blocks) -> Array:
    """Compute s after each step, shape (steps, b)."""
    h, s, weights, biases = layer.h, layer.s, _TANH_OF * layer.weights, _TANH_OF * layer.biases
    z, cells = np.empty_like(weights), np.empty((blocks.steps, len(s)))
    for forget, out, cell in zip(blocks.unpack(layer.forget), blocks.unpack(layer.out), cells, strict=True):
        np.multiply(h, weights, z)
        np.add(z, biases, z)
        np.tanh(z, z)
        np.multiply(forget, s, cell)
        cell += (0.5 * z[1] + 0.5) * z[0]
        s = cell
        h = out * np.tanh(s)
    return cells


_ROUNDS = 8
"""Rounds of Newton's method in each precision. Usually two or three and one are enough."""

_ROUGH = 5e-3
"""Change of s, relative to its largest value, after which single precision has done its part."""

_EXACT = 1e-12
"""Relative to the largest s: what Newton's method may leave at any step, when each change is about the last squared."""


def _solved(layer: _Recurrence, rough: _Newton, fine: _Newton) -> Array | None:
    """Compute s after each step, in blocks; None if Newton's method does not converge."""
    with np.errstate(all="ignore"):  # what overflows does not converge
        fine.begin(layer)
        rough.begin(layer, fine)
        rough.guess()
        bend, last = 1.0, np.inf  # of each change to the square of the one before, at most
        for _ in range(_ROUNDS):
            change = rough.advance()
            size = max(1.0, float(rough.old.max()), -float(rough.old.min()))
            bend = max(bend, change * size / last**2)
            if change <= _ROUGH * size:
                break
            last = change
        else:
            return None
        fine.old[...] = rough.old
        fine.old[_FIRST] = layer.s
        for _ in range(_ROUNDS):
            change = fine.advance()
            if bend * change**2 <= _EXACT * size**2:
                return fine.cell
    return None


class _Newton:
    """Newton's method for all s of a layer, in one precision. It is created for a run, so that layers share its memory."""

    ARRAYS = 12
    """The number of blocks it works with."""

    def __init__(self, room: Array):
        self._precision = room.dtype
        self._by_tanh, self._z, self._tanh = room[:2], room[2:4], room[4:6]
        self._out, self.old, self.cell, self._slope, self._work, self._products = room[6:]

    old: Array
    """s before each step, of the last round."""

    cell: Array
    """s after each step, of the last round."""

    def begin(self, layer: _Recurrence, other: _Newton | None = None) -> None:
        """Start on a layer, which ``other`` may have processed before in higher precision."""
        precision = self._precision
        self._layer = layer
        weights, biases = _EXPONENTS * layer.weights, _EXPONENTS * layer.biases
        if other is None:
            before(layer.out, layer.h, out=self._out)
            self._out[_FIRST] = 0.0  # h before the first step is given
        else:
            self._out[...] = other._out
        np.multiply(self._out, _spread(weights).astype(precision), out=self._by_tanh)
        self._forget = layer.forget.astype(precision, copy=False)
        self._biases = _spread(biases).astype(precision)
        self._first = layer.h * weights + biases
        self._start = layer.s.astype(precision)

    def guess(self) -> None:
        """Set ``old`` to the solution of the recurrence that is linear in out and s, with q as it is at their means."""
        layer, precision = self._layer, self._precision
        forget, out = (gate[0].mean(axis=(1, 2)) for gate in (layer.forget, layer.out))  # a sample of the steps
        s = np.ones(len(out))
        for _ in range(2):  # towards what each bit would reach if forget and out stayed at their means
            tanh = np.tanh(s)
            q, by_h = layer.added(out * tanh)
            mean, s = s, q / (1 - forget)
        by_s = 1 - tanh * tanh
        # q + by_h (h - out tanh), where h is about the old out times tanh + by_s (the old s - s).
        factors = np.array([by_h * by_s, by_h * (tanh - by_s * mean), q - by_h * out * tanh]).astype(precision)
        by_s, by_out, rest = _spread(factors)
        slope = np.multiply(self._out, by_s, out=self._slope)
        slope += self._forget
        cell = np.multiply(self._out, by_out, out=self.cell)
        cell += rest
        cell[_FIRST] = layer.added(layer.h)[0]
        solve(slope, cell, self._start, products=self._products)
        before(cell, self._start, out=self.old)

    def advance(self) -> float:
        """Do one round, and return the largest change of s."""
        multiply, add, subtract = np.multiply, np.add, np.subtract
        old, q, slope, work, z, tanh = self.old, self.cell, self._slope, self._work, self._z, self._tanh
        _tanh(old, work)
        multiply(self._by_tanh, work, z)
        add(z, self._biases, z)
        z[:, 0, :, 0, 0] = self._first
        _logistic(z, 2.0)
        subtract(z, 1.0, tanh)
        # Now z[1] is 2 in, tanh[1] is 2 in - 1, and tanh[0] is change.
        multiply(z[1], tanh[0], z[0])  # 2 q
        multiply(z[0], 0.5, q)
        # Derivative of 2 q by the exponents of change and in: (change^2 - 1) in, and -2 q (1 - in), and that of tanh.
        multiply(tanh, z[0], tanh)
        subtract(tanh, z[::-1], tanh)
        multiply(tanh, self._by_tanh, tanh)
        add(tanh[0], tanh[1], slope)
        multiply(work, work, work)
        subtract(1.0, work, work)
        multiply(work, 0.25, work)
        multiply(slope, work, slope)
        multiply(slope, old, work)
        subtract(q, work, q)
        add(slope, self._forget, slope)
        solve(slope, q, self._start, products=self._products)
        new = before(q, self._start, out=self._products)
        subtract(new, old, work)
        self.old, self._products = new, old
        return float(np.abs(work, out=work).max())


def _methods(room: Array) -> list[_Newton]:
    """Newton's in single and in double precision, in room for twice ``_Newton.ARRAYS`` blocks in double precision."""
    number, size = _Newton.ARRAYS, room[0].size
    rough = room[number:].reshape(-1).view(np.float32)[: number * size]
    return [_Newton(rough.reshape(number, *room.shape[1:])), _Newton(room[:number])]


# --- the loss and its gradient --------------------------------------------------------------------------------------


def _blocks(network: Network) -> Blocks:
    return Blocks.of(len(network.sequence) - 1)


def _run(network: Network) -> Iterator[_Layer]:
    """The layers, from the one that sees the text to the one that predicts it."""
    blocks = _blocks(network)
    x = blocks.pack(network.sequence[:-1] * network.extra[0])
    # One piece of memory for all: the allocator keeps a large one that it was given back for the next run. Many small
    # ones go back to the system, and getting them again costs more than filling them.
    own, layers = 2 * _Newton.ARRAYS, len(network.main) // 2
    room = np.empty((own + layers * _Layer.ARRAYS, *x.shape))
    methods = _methods(room[:own]) if blocks.are_many else []
    for index, layer_room in enumerate(room[own:].reshape(layers, _Layer.ARRAYS, *x.shape)):
        layer = _run_layer(blocks, network, index, x, methods, layer_room)
        x = layer.h
        yield layer


def _predictions(network: Network, top: Array) -> tuple[Array, Array, Array]:
    """Return y, exp(y), and 2 plus the sum of exp(y) for each step."""
    y = top * network.extra[1] + network.extra[2]
    exponentials = np.exp(y)
    return y, exponentials, 2 + exponentials.sum(axis=1)


def objective(network: Network) -> float:
    """Mean of log(2 + sum(exp(y))) - y over the ones of the text."""
    for layer in _run(network):
        top = layer.h
    y, _, sums = _predictions(network, _blocks(network).unpack(top))
    target = network.sequence[1:]
    return (float(np.log(sums) @ target.sum(axis=1)) - float(np.vdot(target, y))) / y.size


def jacobian(network: Network) -> Array:
    """Gradient of ``objective`` by main, then by extra, row by row, shape (8 l b + 3 b,)."""
    blocks, layers = _blocks(network), list(_run(network))
    top = blocks.unpack(layers[-1].h)
    y, y_bar, sums = _predictions(network, top)
    target = network.sequence[1:]
    y_bar *= (target.sum(axis=1) / sums)[:, None]
    y_bar -= target
    y_bar /= y.size
    h_bar = blocks.pack(y_bar * network.extra[1])
    main = np.empty((len(layers), 2, 4, y.shape[1]))
    for index in reversed(range(len(layers))):
        main[index], h_bar = _go_back(network, index, layers[index], h_bar)
    input_bar = np.einsum("tb,tb->b", blocks.unpack(h_bar), network.sequence[:-1])
    return np.concatenate([main.reshape(-1), input_bar, (y_bar * top).sum(axis=0), y_bar.sum(axis=0)])


def _go_back(network: Network, index: int, layer: _Layer, h_bar: Array) -> tuple[Array, Array]:
    """Derivatives of the loss by the weights and biases of a layer, shape (2, 4, b), and by its inputs x.

    Args:
        h_bar: derivatives by the layer's outputs, as far as the layer above or the prediction uses them.
    """
    weights, biases = network.main[2 * index : 2 * index + 2].reshape(2, 4, -1)
    h, s = network.state[2 * index : 2 * index + 2]
    nothing = np.zeros_like(h)
    old_h, old_cell = before(layer.h, h), before(layer.cell, s)
    gates = np.multiply(old_h, _spread(_EXPONENTS * weights[_SEES_H]))
    gates += _spread(_EXPONENTS * biases[_SEES_H])
    change, in_ = _logistic(gates, 1.0)
    change *= 2.0
    change -= 1.0
    # Derivatives of s by the arguments of forget, in and change, and of h by that of out.
    by_forget = old_cell * layer.forget * (1 - layer.forget)
    by_in = in_ * (1 - in_) * change
    by_change = in_ * (1 - change * change)
    by_out = layer.h * (1 - layer.out)
    by_old_h = by_in * _spread(weights[1]) + by_change * _spread(weights[3])
    h_by_cell = layer.out * (1 - layer.cell_tanh * layer.cell_tanh)
    cell_bar = h_bar * h_by_cell
    next_by_old_h, next_forget = before(by_old_h, nothing, True), before(layer.forget, nothing, True)
    solve(next_by_old_h * h_by_cell + next_forget, cell_bar, nothing, True)
    h_bar = h_bar + before(cell_bar, nothing, True) * next_by_old_h
    by_forget *= cell_bar
    by_in *= cell_bar
    by_change *= cell_bar
    by_out *= h_bar
    main = np.empty((2, 4, len(h)))
    for gate, (bars, inputs) in enumerate(
        [(by_forget, layer.x), (by_in, old_h), (by_out, layer.x), (by_change, old_h)]
    ):
        main[0, gate] = np.einsum("abcd,abcd->b", bars, inputs)
        main[1, gate] = bars.sum(axis=(0, 2, 3))
    return main, by_forget * _spread(weights[0]) + by_out * _spread(weights[2])


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=np.ndarray.tolist),
}
