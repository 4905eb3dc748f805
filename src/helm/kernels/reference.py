"""Inputs, exact results and error bounds of the operations. Sent as text into a sandbox, so it imports nothing of ours."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Dimensions = Mapping[str, int]
Arrays = list[np.ndarray]

_FEW = 3  # numbers other than 0 in a row of a sparse array
_LAYERNORM_EPSILON = 1e-5
_SMOOTH = 16.0  # errors of a few functions in a row, in units of the last place


def _numbers(random: np.random.Generator, shape: Sequence[int], kind: str) -> np.ndarray:
    """Return an array of a kind: `normal`, or one of those named below."""
    x = random.standard_normal(shape)
    if kind == "zeros":
        return x * 0.0
    if kind == "large":
        return x * 2e4
    if kind == "offset":
        return x + 10.0
    if kind == "ties":
        return random.integers(-3, 4, shape).astype(float)
    if kind == "sparse":
        rows = np.zeros((math.prod(shape[:-1]), shape[-1]))
        for row in rows:
            row[random.integers(0, shape[-1], _FEW)] = random.uniform(1.0, 2.0, _FEW)
        return rows.reshape(shape)
    if kind == "masked":
        hidden = random.random(shape) < 0.3
        hidden[..., random.integers(0, shape[-1])] = False
        return np.where(hidden, -np.inf, x)
    if kind == "infinite":
        x[random.random(shape) < 0.1] = np.inf
        x[random.random(shape) < 0.1] = -np.inf
    if kind == "unit":
        return random.uniform(-0.1, 1.1, shape)
    if kind == "nan":
        x = random.uniform(0.0, 1.0, shape)
        x[random.random(shape) < 0.2] = np.nan
    return x


class Reference(NamedTuple):
    """How one operation is tried and judged."""

    exact: Callable[..., np.ndarray]
    """Maps inputs of double precision, and `sizes`, to the right output."""

    error: Callable[..., np.ndarray] | None
    """Maps the same to the largest allowed error of each number, divided by the precision. None: none is allowed."""

    example: Dimensions
    """The sizes of the example that the model is shown."""

    shapes: Sequence[Dimensions]
    """Sizes of inputs of the kind `normal` on which kernels are tried."""

    special: Sequence[tuple[str, Dimensions]]
    """Further inputs: their kind and sizes."""

    timed: Sequence[Dimensions]
    """Sizes for which kernels are timed."""

    usual: str = "normal"
    """The kind of timed inputs and of the example."""

    dense: Sequence[str] = ()
    """Inputs that are of the usual kind whatever the case asks for."""

    def make_inputs(
        self, random: np.random.Generator, parameters: Sequence[Any], sizes: Dimensions, dtype: str, kind: str
    ) -> Arrays:
        """Return one array for each parameter, a name and its dimensions."""
        arrays = []
        for name, dimensions in parameters:
            shape = [sizes[dimension] for dimension in dimensions]
            values = _numbers(random, shape, self.usual if name in self.dense else kind)
            arrays.append(np.ascontiguousarray(values, dtype=dtype))
        return arrays

    def judge(self, inputs: Arrays, sizes: Dimensions, dtype: str) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the right output and the allowed error of each number."""
        doubles = [array.astype(np.float64) for array in inputs]
        with np.errstate(all="ignore"):
            exact = self.exact(*doubles, sizes=sizes)
            if self.error is None:
                return exact, None
            info = np.finfo(dtype)
            bound = float(info.eps) * self.error(*doubles, sizes=sizes) + float(info.tiny) * exact.size
        return exact, bound


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def _sum_error(total: np.ndarray, squares: np.ndarray, count: np.ndarray) -> np.ndarray:
    """How far a sum may be off, in any usual order of its terms.

    Each addition errs in proportion to the sum so far, which is like the total, or like that of as many random terms. The errors
    add up like random numbers. So a single missing term stands out, which it would not beside the sum of all sizes.

    Args:
        total: the sum.
        squares: the sum of the squares of the terms.
        count: the number of terms other than 0.
    """
    size = np.sqrt(squares)
    return np.asarray(4 * size + 2 * np.sqrt(count) * np.maximum(np.abs(total), 3 * size))


def _product_error(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return _sum_error(a @ b, (a * a) @ (b * b), (a != 0).astype(float) @ (b != 0).astype(float))


def _prefix_sum_error(x: np.ndarray, sizes: Dimensions) -> np.ndarray:
    largest = np.maximum.accumulate(np.abs(np.cumsum(x)))
    return _sum_error(largest, np.cumsum(x * x), np.cumsum(x != 0))


def _softmax_error(x: np.ndarray, sizes: Dimensions) -> np.ndarray:
    below = x.max(-1, keepdims=True) - x
    p = _softmax(x)
    spread = (p * np.where(p > 0, below, 0.0)).sum(-1, keepdims=True)
    return np.asarray(_SMOOTH * p * (4 + np.sqrt(x.shape[-1]) / 4 + np.where(p > 0, below, 0.0) + spread))


def _layernorm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, sizes: Dimensions) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return np.asarray(centred / np.sqrt((centred**2).mean(-1, keepdims=True) + _LAYERNORM_EPSILON) * weight + bias)


def _layernorm_error(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, sizes: Dimensions) -> np.ndarray:
    mean = np.abs(x).mean(-1, keepdims=True)  # what the sum's error is in proportion to
    deviation = np.sqrt(x.var(-1, keepdims=True) + _LAYERNORM_EPSILON)
    conditioned = 1 + (x.mean(-1, keepdims=True) / deviation) ** 2
    return np.asarray(_SMOOTH * ((np.abs(x) + mean) / deviation * conditioned * np.abs(weight) + np.abs(bias)))


def _gelu(x: np.ndarray, sizes: Dimensions) -> np.ndarray:
    return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


def _windows(x: np.ndarray, sizes: Dimensions) -> np.ndarray:
    """Columns of what each position of a convolution sees."""
    seen = np.lib.stride_tricks.sliding_window_view(x, sizes["width"], axis=1)
    return np.asarray(seen.transpose(0, 2, 1).reshape(-1, seen.shape[1]))


def _conv1d(x: np.ndarray, weight: np.ndarray, sizes: Dimensions) -> np.ndarray:
    return np.asarray(weight.reshape(len(weight), -1) @ _windows(x, sizes))


def _conv1d_error(x: np.ndarray, weight: np.ndarray, sizes: Dimensions) -> np.ndarray:
    return _product_error(weight.reshape(len(weight), -1), _windows(x, sizes))


def _histogram(x: np.ndarray, sizes: Dimensions) -> np.ndarray:
    inside = x[(x >= 0) & (x < 1)]
    return np.bincount((inside * sizes["bins"]).astype(np.int64), minlength=sizes["bins"])


def _scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    return np.asarray(q @ k.T / math.sqrt(q.shape[1]))


def _attention_error(q: np.ndarray, k: np.ndarray, v: np.ndarray, sizes: Dimensions) -> np.ndarray:
    largest = (np.abs(q) @ np.abs(k).T / math.sqrt(q.shape[1])).max(-1, keepdims=True)
    return np.asarray(_SMOOTH * (2 + largest) * (_softmax(_scores(q, k)) @ np.abs(v)))


def _stencil(x: np.ndarray, sizes: Dimensions) -> np.ndarray:
    out = x.copy()
    out[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return out


def _vectors(*counts: int) -> list[Dimensions]:
    return [{"n": n} for n in counts]


def _grids(first: str, second: str, *shapes: tuple[int, int]) -> list[Dimensions]:
    return [{first: a, second: b} for a, b in shapes]


def _products(*shapes: tuple[int, int, int]) -> list[Dimensions]:
    return [{"m": m, "k": k, "n": n} for m, k, n in shapes]


def _convolutions(*shapes: tuple[int, int, int, int]) -> list[Dimensions]:
    names = ("channels_in", "length", "channels_out", "width")
    return [{**dict(zip(names, shape, strict=True)), "positions": shape[1] - shape[3] + 1} for shape in shapes]


def _attentions(*shapes: tuple[int, int, int]) -> list[Dimensions]:
    return [{"n": n, "d": d, "m": m} for n, d, m in shapes]


def _bins(*shapes: tuple[int, int]) -> list[Dimensions]:
    return [{"n": n, "bins": bins} for n, bins in shapes]


_ROWS = ("rows", "columns")

REFERENCES: Mapping[str, Reference] = {
    "dot": Reference(
        lambda x, y, sizes: np.array([x @ y]), lambda x, y, sizes: _product_error(x[None], y),
        {"n": 4}, _vectors(1, 2, 7, 64, 1023), [("sparse", {"n": 5000}), ("zeros", {"n": 9}), ("large", {"n": 33})],
        _vectors(60_000, 400_000), dense=("y",),
    ),
    "matmul": Reference(
        lambda a, b, sizes: a @ b, lambda a, b, sizes: _product_error(a, b),
        {"m": 2, "k": 3, "n": 2}, _products((1, 1, 1), (3, 5, 7), (16, 16, 16), (33, 1, 65), (1, 70, 31)),
        [("sparse", {"m": 40, "k": 50, "n": 30}), ("large", {"m": 9, "k": 8, "n": 7})],
        _products((96, 96, 96), (200, 150, 170)), dense=("b",),
    ),
    "transpose": Reference(
        lambda x, sizes: x.T, None, {"m": 2, "n": 3}, _grids("m", "n", (1, 1), (1, 9), (17, 1), (31, 33), (64, 64)),
        [("nan", {"m": 5, "n": 6}), ("infinite", {"m": 8, "n": 3})], _grids("m", "n", (300, 300), (1024, 513)),
    ),
    "softmax": Reference(
        lambda x, sizes: _softmax(x), _softmax_error, {"rows": 2, "columns": 3},
        _grids(*_ROWS, (1, 1), (1, 65), (7, 2), (5, 33), (32, 32)),
        [("large", {"rows": 4, "columns": 9}), ("masked", {"rows": 6, "columns": 11}), ("zeros", {"rows": 2, "columns": 8})],
        _grids(*_ROWS, (64, 512), (1000, 130)),
    ),
    "layernorm": Reference(
        _layernorm, _layernorm_error, {"rows": 2, "columns": 3},
        _grids(*_ROWS, (1, 2), (1, 65), (7, 3), (5, 33), (32, 32)),
        [("offset", {"rows": 4, "columns": 30}), ("zeros", {"rows": 2, "columns": 8})],
        _grids(*_ROWS, (64, 512), (1000, 130)), dense=("weight", "bias"),
    ),
    "gelu": Reference(
        _gelu, lambda x, sizes: _SMOOTH * np.abs(x), {"n": 4}, _vectors(1, 2, 7, 64, 1023),
        [("large", {"n": 50}), ("zeros", {"n": 9})], _vectors(30_000, 120_000),
    ),
    "conv1d": Reference(
        _conv1d, _conv1d_error, _convolutions((1, 5, 1, 2))[0],
        _convolutions((1, 1, 1, 1), (1, 20, 3, 3), (4, 33, 2, 5), (3, 9, 5, 9)),
        [("sparse", _convolutions((2, 60, 3, 12))[0])], _convolutions((4, 1000, 8, 9), (16, 2000, 16, 3)), dense=("x",),
    ),
    "prefix_sum": Reference(
        lambda x, sizes: np.cumsum(x),
        _prefix_sum_error,
        {"n": 4}, _vectors(1, 2, 7, 64, 1023), [("sparse", {"n": 2000}), ("zeros", {"n": 9}), ("offset", {"n": 300})],
        _vectors(100_000, 400_000),
    ),
    "histogram": Reference(
        _histogram, None, {"n": 6, "bins": 4}, _bins((1, 1), (7, 2), (100, 16), (1023, 256)),
        [("nan", {"n": 50, "bins": 8}), ("ties", {"n": 40, "bins": 4}), ("zeros", {"n": 9, "bins": 2})],
        _bins((50_000, 64), (200_000, 1024)), usual="unit",
    ),
    "sort": Reference(
        lambda x, sizes: np.sort(x), None, {"n": 4}, _vectors(1, 2, 7, 64, 1023),
        [("ties", {"n": 200}), ("infinite", {"n": 90}), ("zeros", {"n": 9})], _vectors(10_000, 50_000),
    ),
    "attention": Reference(
        lambda q, k, v, sizes: _softmax(_scores(q, k)) @ v, _attention_error, {"n": 2, "d": 2, "m": 3},
        _attentions((1, 1, 1), (3, 4, 1), (5, 8, 7), (1, 16, 33), (32, 32, 32)),
        [("ties", {"n": 6, "d": 8, "m": 5}), ("zeros", {"n": 2, "d": 3, "m": 4})],
        _attentions((128, 32, 128), (200, 64, 300)),
    ),
    "stencil": Reference(
        _stencil, lambda x, sizes: 4 * _stencil(np.abs(x), sizes), {"m": 3, "n": 3},
        _grids("m", "n", (1, 1), (1, 9), (2, 5), (3, 17), (33, 31)), [("large", {"m": 9, "n": 8})],
        _grids("m", "n", (256, 256), (700, 500)),
    ),
}  # fmt: skip
"""How each operation is tried and judged, by name."""
