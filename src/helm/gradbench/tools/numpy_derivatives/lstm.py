"""An elementwise LSTM that predicts the next character, and the gradient of its loss.

Layer i at step t needs layer i - 1 at the same step and itself at the step before. So all layers can work at once when
layer i works on step w - i in wave w: the inputs of wave w are the outputs of wave w - 1. A table ``tape`` holds, of
each wave, the scaled character and then the outputs h of all layers; rows 0 to l - 1 of it are the inputs x of the
layers in the next wave and rows 1 to l their old h, which one view with overlapping rows gives to all gates together.

Sigmoids are computed as (1 + tanh(z / 2)) / 2, so that one call of tanh serves the four gates. The gates are kept in
the order of their inputs: forget and out, which see x; in and change, which see h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]

_BY_INPUT = [[0, 2], [1, 3]]  # of forget, in, out, change: those that see x, then those that see h


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
    """The input of a message. Raises ``ValueError`` when the shapes do not belong together."""
    names = ("main_params", "extra_params", "state", "sequence")
    main, extra, state, sequence = (np.array(value[name], dtype=np.float64) for name in names)
    b = sequence.shape[-1]
    rows = len(main)
    is_right = (main.shape, extra.shape, state.shape) == ((rows, 4 * b), (3, b), (rows, b))
    if not is_right or rows % 2 or not rows or sequence.ndim != 2 or len(sequence) < 2:
        shapes = f"{main.shape}, {extra.shape}, {state.shape} and {sequence.shape}"
        raise ValueError(f"lstm needs tables of (2l, 4b), (3, b), (2l, b) and (c, b) with c at least 2, got {shapes}.")
    return Network(main, extra, state, sequence)


@dataclass(frozen=True)
class _Waves:
    """What the waves leave: everything that going back needs. W = c - 2 + l waves."""

    tape: Array
    """Shape (W + 1, l + 1, b)."""

    gates: Array
    """Shape (W, 2, 2, l, b): forget and out, in and change."""

    cells: Array
    """Shape (W + 1, l, b), s before each wave and after the last."""

    cell_tanhs: Array
    """Shape (W, l, b), tanh of s after each wave."""


def _weights(network: Network) -> tuple[Array, Array]:
    """Weights and biases of the gates, shape (2, 2, l, b) each."""
    b = network.sequence.shape[1]
    blocks = network.main.reshape(-1, 2, 4, b)[:, :, _BY_INPUT]  # layer, weight or bias, input, gate, bit
    weights, biases = blocks.transpose(1, 2, 3, 0, 4)
    return weights, biases


def _inputs(tape: Array) -> Array:
    """x and old h of all layers in each wave, shape (W, 2, l, b): a view of the tape."""
    waves, layers, b = len(tape) - 1, tape.shape[1] - 1, tape.shape[2]
    wave, row, bit = tape.strides
    return as_strided(tape, (waves, 2, layers, b), (wave, row, row, bit), writeable=False)


def _run(network: Network) -> _Waves:
    layers, b = len(network.main) // 2, network.sequence.shape[1]
    steps = len(network.sequence) - 1
    waves = steps + layers - 1
    tape = np.zeros((waves + 1, layers + 1, b))
    np.multiply(network.sequence[:-1], network.extra[0], out=tape[:steps, 0])
    cells = np.empty((waves + 1, layers, b))
    cell_tanhs = np.empty((waves, layers, b))
    gates = np.empty((waves, 2, 2, layers, b))
    tape[0, 1:], cells[0] = network.state[0::2], network.state[1::2]
    weights, biases = _weights(network)
    slope = np.full((2, 2, layers, b), 0.5)  # of sigmoids; change is a tanh
    slope[1, 1] = 1.0
    shift = np.full((2, 2, layers, b), 0.5)
    shift[1, 1] = 0.0
    weights, biases = weights * slope, biases * slope
    product = np.empty((layers, b))
    multiply, add, tanh = np.multiply, np.add, np.tanh
    # Walking along arrays is cheaper than indexing them, and calls on tables this small are all overhead.
    waves_of = zip(
        _inputs(tape)[:, :, None],
        gates,
        gates[:, 0, 0],
        gates[:, 0, 1],
        gates[:, 1, 0],
        gates[:, 1, 1],
        cells[:-1],
        cells[1:],
        cell_tanhs,
        tape[1:, 1:],
        strict=True,
    )
    for w, (inputs, gate, forget, out, in_, change, old_cell, cell, cell_tanh, h) in enumerate(waves_of):
        multiply(inputs, weights, gate)
        add(gate, biases, gate)
        tanh(gate, gate)
        multiply(gate, slope, gate)
        add(gate, shift, gate)
        multiply(old_cell, forget, cell)
        multiply(in_, change, product)
        add(cell, product, cell)
        tanh(cell, cell_tanh)
        multiply(out, cell_tanh, h)
        if w < layers - 1:  # layers that have not begun keep their state
            tape[w + 1, w + 2 :] = tape[0, w + 2 :]
            cells[w + 1, w + 1 :] = cells[0, w + 1 :]
    return _Waves(tape, gates, cells, cell_tanhs)


def _predictions(network: Network, tape: Array) -> tuple[Array, Array]:
    """Outputs h of the last layer and predictions y of each step, shape (c - 1, b) each."""
    layers = tape.shape[1] - 1
    top = tape[layers:, layers]
    return top, top * network.extra[1] + network.extra[2]


def objective(network: Network) -> float:
    """Mean of log(2 + sum(exp(y))) - y over the ones of the text."""
    _, y = _predictions(network, _run(network).tape)
    logs = np.log(2 + np.exp(y).sum(axis=1))
    target = network.sequence[1:]
    return (float(logs @ target.sum(axis=1)) - float(np.vdot(target, y))) / y.size


def jacobian(network: Network) -> Array:
    """Gradient of ``objective`` by main, then by extra, row by row, shape (8 l b + 3 b,)."""
    waves = _run(network)
    layers, steps = len(network.main) // 2, len(network.sequence) - 1
    top, y = _predictions(network, waves.tape)
    target = network.sequence[1:]
    exponentials = np.exp(y)
    y_bar = exponentials * (target.sum(axis=1) / (2 + exponentials.sum(axis=1)))[:, None]
    y_bar -= target
    y_bar /= y.size

    (forget, out), (in_, change) = waves.gates.transpose(1, 2, 0, 3, 4)
    tanhs = waves.cell_tanhs
    # Derivatives of s and h by the gates' arguments; those by x and old h are these times the weights.
    local = np.empty_like(waves.gates)
    np.multiply(waves.cells[:-1] * forget, 1 - forget, out=local[:, 0, 0])
    np.multiply(tanhs * out, 1 - out, out=local[:, 0, 1])
    np.multiply(change * in_, 1 - in_, out=local[:, 1, 0])
    np.multiply(in_, 1 - change * change, out=local[:, 1, 1])
    weights, biases = _weights(network)
    cell_by_inputs = np.empty((len(tanhs), 2, *tanhs.shape[1:]))
    np.multiply(local[:, 0, 0], weights[0, 0], out=cell_by_inputs[:, 0])
    np.multiply(local[:, 1, 0], weights[1, 0], out=cell_by_inputs[:, 1])
    cell_by_inputs[:, 1] += local[:, 1, 1] * weights[1, 1]
    out_by_input = local[:, 0, 1] * weights[0, 1]
    h_by_cell = out * (1 - tanhs * tanhs)

    h_bars, cell_bars = _sweep_back(y_bar * network.extra[1], forget, h_by_cell, cell_by_inputs, out_by_input)

    # Of the gates' arguments, then of weights and biases: sums over the waves.
    local[:, 0, 0] *= cell_bars
    local[:, 0, 1] *= h_bars
    local[:, 1] *= cell_bars[:, None]
    inputs = _inputs(waves.tape)
    weight_bars = np.einsum("wsglb,wslb->sglb", local, inputs)
    bias_bars = local.sum(axis=0)
    main = np.empty((layers, 2, 4, network.sequence.shape[1]))
    main[:, :, _BY_INPUT] = np.stack([weight_bars, bias_bars]).transpose(3, 0, 1, 2, 4)
    first = local[:steps, 0, :, 0]
    input_bar = np.einsum("tgb,gb,tb->b", first, weights[0, :, 0], network.sequence[:-1])
    return np.concatenate([main.reshape(-1), input_bar, (y_bar * top).sum(axis=0), y_bar.sum(axis=0)])


def _sweep_back(
    top_bar: Array, forget: Array, h_by_cell: Array, cell_by_inputs: Array, out_by_input: Array
) -> tuple[Array, Array]:
    """Derivatives of the loss by h and by s of each wave, shape (W, l, b) each.

    Args:
        top_bar: shape (c - 1, b), derivatives by h of the last layer at each step, the later steps left out.
    """
    waves, layers, b = forget.shape
    h_bars, cell_bars = np.empty((waves, layers, b)), np.empty((waves, layers, b))
    h_bar, cell_bar = np.zeros((layers, b)), np.zeros((layers, b))
    input_bars, through_out = np.empty((2, layers, b)), np.empty((layers, b))
    x_bar, old_h_bar = input_bars
    multiply, add = np.multiply, np.add
    before, after, last = h_bar[:-1], x_bar[1:], h_bar[-1]
    last_steps = [None] * (layers - 1) + list(top_bar)
    backwards = zip(
        *(array[::-1] for array in (h_bars, cell_bars, forget, h_by_cell, cell_by_inputs, out_by_input)),
        reversed(last_steps),
        strict=True,
    )
    for i, (h_bar_here, total, forget_here, by_cell, by_inputs, by_out, top) in enumerate(backwards):
        if top is not None:
            add(last, top, last)
        else:  # layers that have not begun pass nothing on
            h_bar[waves - i :] = 0.0
            cell_bar[waves - i :] = 0.0
        h_bar_here[...] = h_bar
        multiply(h_bar, by_cell, total)
        add(total, cell_bar, total)
        multiply(total, forget_here, cell_bar)
        multiply(by_inputs, total, input_bars)
        multiply(h_bar, by_out, through_out)
        add(x_bar, through_out, x_bar)
        h_bar[...] = old_h_bar
        add(before, after, before)
    return h_bars, cell_bars


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=np.ndarray.tolist),
}
