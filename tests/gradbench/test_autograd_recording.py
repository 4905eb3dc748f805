"""Functions that autograd records: the same values and derivatives as without a recording."""

import pytest

autograd = pytest.importorskip("autograd")
np = pytest.importorskip("autograd.numpy")

from helm.gradbench.tools.array_libraries.libraries import AutogradLibrary  # noqa: E402
from helm.gradbench.tools.array_libraries.optimization import Particle, Saddle  # noqa: E402
from helm.gradbench.tools.array_libraries.recording import record  # noqa: E402

X, Y = np.array([0.3, 0.5, 0.7]), np.array([1.0, 2.0, -1.0])


def with_reverse(x, y):
    """A tuple, with a gradient inside that indexes its argument."""
    inner = autograd.grad(lambda z: np.sum(np.sin(z) * y * z[0]))
    return inner(x) * y, np.sum(x * y) * np.ones(1)


def with_forward(x, y):
    push = autograd.make_jvp(lambda z: np.sum(np.exp(z) * y))(x)
    return np.stack([push(direction)[1] for direction in np.eye(3)])


def without_first(x, y):
    return y * y


def without_any(x, y):
    return np.array([1.0, 2.0])


FUNCTIONS = [with_reverse, with_forward, without_first, without_any]


def total(function):
    def of(x, y):
        value = function(x, y)
        parts = value if isinstance(value, tuple) else (value,)
        return sum(np.sum(part**2 + part) for part in parts)

    return of


def lists(value):
    return [part.tolist() for part in value] if isinstance(value, tuple) else value.tolist()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_values_of_other_inputs_are_the_same(function):
    recorded = record(function, X, Y)
    assert lists(recorded(X + 0.25, Y - 0.5)) == lists(function(X + 0.25, Y - 0.5))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("argument", [0, 1])
@pytest.mark.filterwarnings("ignore:Output seems independent")
def test_derivatives_in_both_modes_are_the_same(function, argument):
    plain, recorded = total(function), total(record(function, X, Y))
    at, direction = (X + 0.25, Y - 0.5), np.array([1.0, 0.0, 2.0])
    expected = autograd.grad(plain, argument)(*at)
    assert autograd.grad(recorded, argument)(*at) == pytest.approx(expected, rel=1e-13)
    (slope,) = (autograd.make_jvp(recorded, argument)(*at)(direction)[1],)
    assert slope == pytest.approx(np.dot(expected, direction), rel=1e-13)


def test_second_derivatives_go_through_a_recording():
    plain, recorded = total(with_reverse), total(record(with_reverse, X, Y))
    assert np.allclose(autograd.hessian(recorded)(X, Y), autograd.hessian(plain)(X, Y), rtol=1e-13, atol=1e-13)


def test_calls_do_not_disturb_each_other():
    recorded = record(with_reverse, X, Y)
    first = lists(recorded(X, Y))
    autograd.grad(total(recorded))(X, Y)
    recorded(X * 2, Y * 3)
    assert lists(recorded(X, Y)) == first


@pytest.mark.parametrize("mode", ["r", "f"])
@pytest.mark.parametrize("inner", ["r", "f"])
def test_the_descents_have_the_same_derivatives(mode, inner, monkeypatch):
    def slopes():
        library = AutogradLibrary()
        landing = Particle(library, {"w": 0.25}).landing(inner)
        return library.derivative_of_loop(landing, mode)(np.array([0.25])).tolist()

    recorded = slopes()
    monkeypatch.setattr(AutogradLibrary, "recorded", lambda self, function, *arguments: function)
    assert recorded == pytest.approx(slopes(), rel=1e-12)


@pytest.mark.slow
def test_a_saddle_is_found():
    library = AutogradLibrary()
    found = Saddle(library, {"start": [1.0, 1.0]}).part("rr")(np.array([1.0, 1.0]))
    assert np.abs(found).max() < 1e-4
