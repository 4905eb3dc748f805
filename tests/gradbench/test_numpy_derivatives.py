"""The derivatives by hand, against those of other methods: complex steps where the function allows, else differences."""

import itertools
import math
from itertools import product

import numpy as np
import pytest

from helm.gradbench.evals.driver import parse_eval
from helm.gradbench.evals.registry import EVAL_NAMES
from helm.gradbench.tools.numpy_derivatives import (
    ba,
    descent,
    det,
    ht,
    kmeans,
    lse,
    lstm,
    ode,
    particle,
    recurrence,
    saddle,
)
from helm.gradbench.tools.registry import get_tool
from helm.gradbench.tools.server import evaluate
from turns_support import by_turns

SMALL = {
    "hello": "",
    "gmm": "-d 1 2 5 -k 1 4 -n 30 --min-seconds 0",
    "llsq": "-n 16 2049 -m 1 7 --min-seconds 0",
    "lse": "-n 1 20 40000 --min-seconds 0",
    "kmeans": "-k 1 7 -n 200 -d 1 8 --min-seconds 0",
    "det": "-l 2 5 8 9 --min-seconds 0",
    "ode": "-n 1 4 50 -s 20 --min-seconds 0",
    "lstm": "-l 1 3 -c 3 60 --min-seconds 0",
    "ba": "--min 1 --max 2 --min-seconds 0",
    "ht": "--min 1 --max 2 --model small --min-seconds 0",
    "particle": "--min-seconds 0",
    "saddle": "--min-seconds 0",
}


@pytest.mark.parametrize("name", EVAL_NAMES)
def test_the_numpy_tool_solves_every_eval(name):
    eval_ = parse_eval(name, SMALL[name].split())
    functions = get_tool("numpy").find_module(name)
    output = None
    for evaluation in eval_.evaluations():
        value = output if evaluation.continues else evaluation.input
        output, _ = evaluate(functions[evaluation.function], value)
        assert eval_.analyze(evaluation.function, value, output).error is None, evaluation.description


@pytest.mark.parametrize("variant", ["simple", "complicated"])
@pytest.mark.parametrize("model", ["small", "big"])
def test_the_numpy_tool_tracks_every_kind_of_hand(model, variant):
    eval_ = parse_eval("ht", ["--max", "1", "--model", model, "--variant", variant])
    for evaluation in eval_.evaluations():
        output, _ = evaluate(
            get_tool("numpy").find_module("ht")[evaluation.function], {**evaluation.input, "min_seconds": 0}
        )
        assert eval_.analyze(evaluation.function, evaluation.input, output).valid
        assert np.shape(output) in ((300,), (300, 26 if variant == "simple" else 28))


def central_differences(function, x, h=1e-6):
    """Jacobian of a vector function by central differences with one step of extrapolation: error of order h^4."""
    columns = []
    for index in np.ndindex(x.shape):
        values = {}
        for factor in (-2, -1, 1, 2):
            moved = x.copy()
            moved[index] += factor * h
            values[factor] = np.asarray(function(moved))
        columns.append((8 * (values[1] - values[-1]) - (values[2] - values[-2])) / (12 * h))
    return np.stack(columns, axis=-1)


FEW_SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 5))]


@pytest.mark.parametrize("seed", FEW_SEEDS)
@pytest.mark.parametrize("layers", [1, 2, 4])
@pytest.mark.parametrize("steps", [2, 3, 9])
def test_the_gradient_of_the_lstm(layers, steps, seed):
    generator = np.random.RandomState(seed)
    main, extra = generator.standard_normal((2 * layers, 12)), generator.standard_normal((3, 3))
    state, sequence = generator.standard_normal((2 * layers, 3)), generator.randint(2, size=(steps, 3)).astype(float)
    network = lstm.Network(main, extra, state, sequence)
    by_main = central_differences(lambda x: lstm.objective(lstm.Network(x, extra, state, sequence)), main, 1e-4)
    by_extra = central_differences(lambda x: lstm.objective(lstm.Network(main, x, state, sequence)), extra, 1e-4)
    expected = np.concatenate([by_main.reshape(-1), by_extra.reshape(-1)])
    np.testing.assert_allclose(lstm.jacobian(network), expected, atol=1e-10)


def lstm_step_by_step(network):
    """Loss and gradient of the lstm as it is defined: one step and one layer after the other, then all the way back."""
    main, extra, sequence = network.main, network.extra, network.sequence
    layers, b = len(main) // 2, sequence.shape[1]
    w, bias = main.reshape(layers, 2, 4, b).transpose(1, 0, 2, 3)
    h, s = network.state[0::2].copy(), network.state[1::2].copy()
    total, tape = 0.0, []
    for row, target in itertools.pairwise(sequence):
        x, here = row * extra[0], []
        for i in range(layers):
            z = np.stack([x, h[i], x, h[i]]) * w[i] + bias[i]
            f, g, o = 0.5 + 0.5 * np.tanh(z[:3] / 2)
            a, old_h, old_s = np.tanh(z[3]), h[i].copy(), s[i].copy()
            s[i] = old_s * f + g * a
            here.append((x, old_h, old_s, f, g, o, a, np.tanh(s[i])))
            x = h[i] = o * np.tanh(s[i])
        y = x * extra[1] + extra[2]
        total += (target * (y - np.log(2 + np.exp(y).sum()))).sum()
        tape.append((row, target, here, x, y))
    count = sequence[1:].size
    main_bar, extra_bar = np.zeros((layers, 2, 4, b)), np.zeros((3, b))
    h_bar, s_bar = np.zeros((layers, b)), np.zeros((layers, b))
    for row, target, here, top, y in reversed(tape):
        y_bar = (np.exp(y) / (2 + np.exp(y).sum()) * target.sum() - target) / count
        extra_bar[1:] += y_bar * top, y_bar
        x_bar = y_bar * extra[1]
        for i in reversed(range(layers)):
            x, old_h, old_s, f, g, o, a, tanh_s = here[i]
            h_total = h_bar[i] + x_bar
            s_total = s_bar[i] + h_total * o * (1 - tanh_s**2)
            z_bar = np.stack(
                [
                    s_total * old_s * f * (1 - f),
                    s_total * a * g * (1 - g),
                    h_total * tanh_s * o * (1 - o),
                    s_total * g * (1 - a**2),
                ]
            )
            main_bar[i] += z_bar * [x, old_h, x, old_h], z_bar
            x_bar = z_bar[0] * w[i, 0] + z_bar[2] * w[i, 2]
            h_bar[i] = z_bar[1] * w[i, 1] + z_bar[3] * w[i, 3]
            s_bar[i] = s_total * f
        extra_bar[0] += x_bar * row
    return -total / count, np.concatenate([main_bar.reshape(-1), extra_bar.reshape(-1)])


LSTM_SHAPES = [(1, 2, 14), (2, 3, 14), (4, 17, 3), (3, 64, 5)]
LARGE_LSTM_SHAPES = [(4, 1024, 14), (1, 1024, 200), (2, 700, 1)]
LSTM_KINDS = ["of the eval", "long memory", "saturated", "strong"]


@pytest.mark.parametrize("shape, kind", [*product(LSTM_SHAPES, LSTM_KINDS), *by_turns(LARGE_LSTM_SHAPES, LSTM_KINDS)])
def test_all_steps_of_the_lstm_at_once_are_the_steps_one_by_one(shape, kind):
    layers, characters, b = shape
    generator = np.random.RandomState(characters + layers)
    main, extra, state = (generator.random_sample(shape) for shape in ((2 * layers, 4 * b), (3, b), (2 * layers, b)))
    biases = main[1::2].reshape(layers, 4, b)
    if kind == "long memory":
        biases[:, 0] += 9.0  # what a step forgets is below a thousandth
    if kind == "saturated":
        biases += generator.choice([-40.0, 0.0, 40.0], size=biases.shape)
    if kind == "strong":
        main[0::2] = 4 * generator.standard_normal((layers, 4 * b))
    sequence = generator.randint(2, size=(characters, b)).astype(float)
    network = lstm.Network(main, extra, state, sequence)
    loss, gradient = lstm_step_by_step(network)
    assert lstm.objective(network) == pytest.approx(loss, rel=1e-12, abs=0)
    np.testing.assert_allclose(lstm.jacobian(network), gradient, rtol=1e-9, atol=1e-12 * np.abs(gradient).max())
    assert lstm.objective(network) == lstm.objective(network)


def test_an_lstm_that_newtons_method_cannot_solve_is_taken_step_by_step(monkeypatch):
    generator = np.random.RandomState(3)
    shapes = ((4, 20), (3, 5), (4, 5), (300, 5))
    network = lstm.Network(*(generator.random_sample(shape) for shape in shapes))
    at_once = lstm.jacobian(network)
    monkeypatch.setattr(lstm._Newton, "advance", lambda self: float("nan"))
    np.testing.assert_allclose(lstm.jacobian(network), at_once, rtol=1e-12)
    np.testing.assert_allclose(at_once, lstm_step_by_step(network)[1], rtol=1e-12)


@pytest.mark.parametrize("shift", [0.0, 499.0, 501.0, 1e5, -499.0, -501.0, -1e5])
def test_the_log_of_a_sum_of_exponentials_that_would_overflow_or_vanish(shift):
    x = np.random.RandomState(0).standard_normal(40_000)
    small = math.log(math.fsum(map(math.exp, x)))
    assert lse.primal(x + shift) == pytest.approx(small + shift, rel=1e-14, abs=1e-10)
    np.testing.assert_allclose(lse.gradient(x + shift), np.exp(x - small), rtol=1e-9, atol=0)


@pytest.mark.parametrize("steps", [1, 2, 63, 64, 65, 1000])
def test_linear_recurrences_in_blocks(steps):
    generator = np.random.RandomState(steps)
    a, c, start = generator.random_sample((steps, 3)), generator.standard_normal((steps, 3)), np.array([1.0, 0.0, -2.0])
    blocks = recurrence.Blocks.of(steps)
    packed = blocks.pack(c)
    np.testing.assert_array_equal(blocks.unpack(packed), c)
    np.testing.assert_array_equal(blocks.unpack(recurrence.before(packed, start)), np.concatenate([[start], c[:-1]]))
    for is_backwards in (False, True):
        values, value = [], np.zeros(3) if is_backwards else start
        for factor, term in zip(a[::-1], c[::-1], strict=True) if is_backwards else zip(a, c, strict=True):
            value = factor * value + term
            values.append(value)
        solved, first = blocks.pack(c), np.zeros(3) if is_backwards else start
        recurrence.solve(blocks.pack(a), solved, first, is_backwards)
        expected = values[::-1] if is_backwards else values
        np.testing.assert_allclose(blocks.unpack(solved), expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("seed", FEW_SEEDS)
@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("is_complicated", [False, True])
def test_the_jacobian_of_a_hand(is_complicated, is_mirrored, seed):
    eval_ = parse_eval("ht", ["--max", "1", "--model", "small", "--seed", str(seed)])
    (evaluation, _) = eval_.evaluations()
    value = evaluation.input
    kept = {name: value["data"][name][:4] for name in ("correspondences", "points")}
    if not is_complicated:
        kept["correspondences"] = [0, 7, 543, 100]
    data = {**value["data"], **kept}
    data["model"] = {**data["model"], "is_mirrored": is_mirrored}
    us = value["us"][:4] if is_complicated else []

    def at(theta):
        return ht.objective(ht.prepare({"theta": theta.tolist(), "data": data, "us": us}))

    jacobian = ht.jacobian(ht.prepare({"theta": value["theta"], "data": data, "us": us}))
    expected = central_differences(at, np.array(value["theta"]), 1e-3)
    np.testing.assert_allclose(jacobian[:, -26:], expected, atol=1e-9)
    if is_complicated:
        for i in range(2):
            moved = np.array(us)
            moved[:, i] += 1.0  # the errors are linear in the shares
            change = ht.objective(ht.prepare({"theta": value["theta"], "data": data, "us": moved.tolist()}))
            np.testing.assert_allclose(jacobian[:, i], change - at(np.array(value["theta"])), atol=1e-12)


@pytest.mark.parametrize("rotation", ["some", "zero"])
@pytest.mark.parametrize("seed", range(5))
def test_the_jacobian_of_bundle_adjustment(seed, rotation):
    generator = np.random.RandomState(seed)
    n, m, p = 3, 4, 7
    cameras, points = generator.uniform(0.1, 1, (n, 11)), generator.uniform(2, 3, (m, 3))
    if rotation == "zero":
        cameras[:, :3] = 0
    weights, features = generator.standard_normal(p), generator.standard_normal((p, 2))
    camera_of, point_of = generator.randint(n, size=p).astype(np.int32), generator.randint(m, size=p).astype(np.int32)

    def errors(x):
        c, q, w = x[: 11 * n].reshape(n, 11), x[11 * n : 11 * n + 3 * m].reshape(m, 3), x[11 * n + 3 * m :]
        reprojection, weight = ba.objective(ba.Problem(c, q, w, features, camera_of, point_of))
        return np.concatenate([reprojection.reshape(-1), weight])

    x = np.concatenate([cameras.reshape(-1), points.reshape(-1), weights])
    matrix = ba.jacobian(ba.Problem(cameras, points, weights, features, camera_of, point_of))
    dense = np.zeros((3 * p, len(x)))
    for row, (start, end) in enumerate(zip(matrix.rows[:-1], matrix.rows[1:], strict=True)):
        dense[row, matrix.cols[start:end]] = matrix.vals[start:end]
    expected = central_differences(errors, x, 1e-4)
    np.testing.assert_allclose(dense, expected, atol=1e-8)


def test_many_observations_are_worked_off_in_blocks():
    value = {"n": 2, "m": 3, "p": 5001, "cam": [0.3] * 11, "x": [1.0, 2.0, 3.0], "w": 0.5, "feat": [1.0, 2.0]}
    errors, weight_errors = ba.objective(ba.prepare(value))
    assert (errors == errors[0]).all() and (weight_errors == 0.75).all()
    matrix = ba.jacobian(ba.prepare(value))
    blocks = matrix.vals[: 30 * 5001].reshape(5001, 30)
    assert (blocks == blocks[0]).all() and (matrix.vals[30 * 5001 :] == -1.0).all()
    assert matrix.rows[-1] == len(matrix.cols) == 31 * 5001 and matrix.cols.max() == 22 + 9 + 5001 - 1


@pytest.mark.parametrize("ell", range(1, 11))
def test_determinants_by_expansion(ell):
    matrix = np.random.RandomState(ell).standard_normal((ell, ell))
    determinant = np.linalg.det(matrix)
    assert det.primal(matrix) == pytest.approx(determinant, rel=1e-9)
    cofactors = determinant * np.linalg.inv(matrix).T
    np.testing.assert_allclose(det.gradient(matrix), cofactors, rtol=1e-8, atol=1e-9 * np.abs(cofactors).max())


def test_cofactors_of_a_singular_matrix():
    np.testing.assert_allclose(det.gradient(np.ones((3, 3))), np.zeros((3, 3)))
    np.testing.assert_allclose(det.gradient(np.diag([2.0, 3.0, 0.0])), np.diag([0.0, 0.0, 6.0]))


@pytest.mark.parametrize(("n", "steps"), [(1, 1), (3, 2), (5, 1), (9, 4)])
def test_the_gradient_of_the_runge_kutta_result(n, steps):
    x = np.random.RandomState(n).uniform(0.5, 1.5, n)
    expected = central_differences(lambda x: ode.primal(ode.Chain(x, steps))[-1], x, 1e-3)
    np.testing.assert_allclose(ode.gradient(ode.Chain(x, steps)), expected, atol=1e-10)


@pytest.mark.parametrize("n", [1, 2, 16384, 16385, 50000])
def test_the_softmax_in_blocks(n):
    x = 30 * np.random.RandomState(n).standard_normal(n)
    assert lse.primal(x) == pytest.approx(np.logaddexp.reduce(x), rel=1e-13)
    np.testing.assert_allclose(lse.gradient(x), np.exp(x - np.logaddexp.reduce(x)), rtol=1e-11)


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize(("n", "k", "d"), [(1, 1, 1), (50, 3, 2), (3000, 40, 5)])
def test_clusters_wherever_they_lie(n, k, d, offset):
    generator = np.random.RandomState(n)
    points, centroids = generator.rand(n, d), generator.rand(k, d)
    squares = ((points[:, None] - centroids) ** 2).sum(axis=2)
    nearest = squares.argmin(axis=1)
    clustering = kmeans.Clustering(points + offset, centroids + offset)
    assert kmeans.cost(clustering) == pytest.approx(squares.min(axis=1).sum(), rel=1e-7)
    directions = kmeans.direction(clustering)
    for j in range(k):
        mean = points[nearest == j].mean(axis=0) if (nearest == j).any() else np.nan
        np.testing.assert_allclose(directions[j], centroids[j] - mean, atol=1e-7)


@pytest.mark.parametrize("w", [-0.1, 0.0, 0.2, 0.25, 0.5])
def test_the_derivative_of_the_landing_point(w):
    expected = float(central_differences(lambda w: particle.landing(float(w[0])), np.array([w]), 1e-5)[0])
    assert particle.landing_forward(w) == pytest.approx(expected, rel=1e-6)
    assert particle.landing_reverse(w) == pytest.approx(particle.landing_forward(w), rel=1e-11)


def test_a_particle_that_never_lands_is_given_up():
    for function in (particle.landing, particle.landing_forward, particle.landing_reverse):
        with pytest.raises(ArithmeticError, match="w=-0.5 has not landed"):
            function(-0.5)


def test_the_derivatives_of_the_saddle():
    x, y = np.array([0.3, -2.0]), np.array([1.5, 0.25])
    by_x = central_differences(lambda x: saddle.function(x.tolist(), y.tolist()), x, 1e-3)
    by_y = central_differences(lambda y: saddle.function(x.tolist(), y.tolist()), y, 1e-3)
    np.testing.assert_allclose(saddle.gradient_x(x.tolist(), y.tolist()), by_x, atol=1e-9)
    np.testing.assert_allclose(saddle.gradient_y(x.tolist(), y.tolist()), by_y, atol=1e-9)


def test_a_descent_that_never_ends_is_given_up():
    values = itertools.count(0, -1)
    with pytest.raises(ArithmeticError, match="did not end"):
        descent.minimize(lambda x: next(values), lambda x: [2.0], [0.0])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("lse", {"x": []}, "at least one number"),
        ("kmeans", {"points": [[1.0]], "centroids": [[1.0, 2.0]]}, "same dimension"),
        ("det", {"A": [1.0, 2.0], "ell": 2}, "ell=2 and 2 numbers"),
        ("ode", {"x": [1.0], "s": 0}, "s=0"),
        ("ba", {"n": 1, "m": 1, "p": 0, "cam": [0.0] * 11, "x": [0.0] * 3, "w": 1, "feat": [0.0] * 2}, "positive"),
        ("lstm", {"main_params": [[1.0]], "extra_params": [], "state": [], "sequence": [[1.0]]}, "lstm needs"),
        ("saddle", {"start": [1.0]}, "2 numbers"),
    ],
)
def test_inputs_that_make_no_sense_are_named(name, value, words):
    function = next(iter(get_tool("numpy").find_module(name).values()))
    with pytest.raises(ValueError, match=words):
        function.prepare(value)
