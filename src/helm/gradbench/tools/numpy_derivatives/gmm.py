"""Gaussian mixture model: log of likelihood times a Wishart prior, and its gradient.

With Q_k the lower triangular matrix of component k (diagonal exp(q_k), strict lower part from l_k column by column)
and z = Q_k (x - mu_k), everything the gradient needs from the data is the matrix S_k = sum_i r_ik z_i (x_i - mu_k)^T,
where r are the responsibilities: mu, q and l each read a part of it. So the work is two matrix products per component.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]

# Products with smaller shares would be denormal numbers, which make the matrix products several times slower.
_NEGLIGIBLE = 1e-250


@dataclass(frozen=True)
class Mixture:
    """Data and parameters of one workload, with d dimensions, k components and n points."""

    x: Array
    """Shape (n, d)."""

    alpha: Array
    """Shape (k,), logarithms of the unnormalised weights."""

    mu: Array
    """Shape (k, d)."""

    q: Array
    """Shape (k, d), logarithms of the diagonals."""

    l: Array  # noqa: E741  (the field's name in the protocol)
    """Shape (k, d * (d - 1) / 2), strict lower triangles column by column."""

    gamma: float
    """Precision of the prior, > 0."""

    m: int
    """Extra degrees of freedom of the prior, >= 0."""


def prepare(value: Any) -> Mixture:
    d, k, n = (int(value[name]) for name in ("d", "k", "n"))

    def array(name: str, *shape: int) -> Array:
        return np.array(value[name], dtype=np.float64).reshape(shape)

    return Mixture(
        x=array("x", n, d),
        alpha=array("alpha", k),
        mu=array("mu", k, d),
        q=array("q", k, d),
        l=array("l", k, d * (d - 1) // 2),
        gamma=float(value["gamma"]),
        m=int(value["m"]),
    )


def _log_sum_exp(values: Array, axis: int) -> Array:
    largest = values.max(axis=axis, keepdims=True)
    return np.log(np.exp(values - largest).sum(axis=axis)) + largest.squeeze(axis)


def _lower_indices(d: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the entries of l: column 0 from row 1 down, then column 1 from row 2 down, and so on."""
    columns, rows = np.triu_indices(d, 1)
    return rows, columns


def _triangles(mixture: Mixture) -> Array:
    """The matrices Q, shape (k, d, d)."""
    k, d = mixture.mu.shape
    rows, columns = _lower_indices(d)
    result = np.zeros((k, d, d))
    result[:, rows, columns] = mixture.l
    result[:, np.arange(d), np.arange(d)] = np.exp(mixture.q)
    return result


def _centred(mixture: Mixture) -> tuple[Array, Array]:
    """Points and means relative to the mean point: z, computed as Q x - Q mu, would cancel far from the origin."""
    centre = mixture.x.mean(axis=0) if len(mixture.x) else np.zeros(mixture.x.shape[1])
    return mixture.x - centre, mixture.mu - centre


def _whitened(x: Array, mu: Array, triangles: Array) -> Array:
    """Compute z = Q_k (x_i - mu_k) for all components and points, shape (k, n, d)."""
    z = np.matmul(x, triangles.transpose(0, 2, 1))
    z -= np.matmul(triangles, mu[:, :, None]).transpose(0, 2, 1)
    return z


def _log_terms(mixture: Mixture, z: Array) -> Array:
    """beta, the log of each component's share in each point up to a constant, shape (k, n)."""
    heights = mixture.alpha + mixture.q.sum(axis=1)
    return heights[:, None] - 0.5 * np.einsum("kij,kij->ki", z, z)


def _log_prior(mixture: Mixture) -> float:
    """Log of the Wishart prior over all components."""
    k, d = mixture.mu.shape
    degrees = d + mixture.m + 1
    log_gamma = d * (d - 1) / 4 * math.log(math.pi)
    log_gamma += sum(math.lgamma(0.5 * degrees + (1 - j) / 2) for j in range(1, d + 1))
    constant = degrees * d * (math.log(mixture.gamma) - 0.5 * math.log(2)) - log_gamma
    squares = float(np.exp(2 * mixture.q).sum()) + float(np.vdot(mixture.l, mixture.l))
    return k * constant - 0.5 * mixture.gamma**2 * squares + mixture.m * float(mixture.q.sum())


def objective(mixture: Mixture) -> float:
    """Log of likelihood times prior."""
    n, d = mixture.x.shape
    k = len(mixture.mu)
    triangles = _triangles(mixture)
    x, mu = _centred(mixture)
    # z of all components as columns of one table, (n, k d): one product of large matrices instead of k of small ones.
    z = x @ triangles.reshape(k * d, d).T
    z -= np.matmul(triangles, mu[:, :, None]).reshape(k * d)
    np.multiply(z, z, out=z)
    squares = (z.reshape(n * k, d) @ np.ones(d)).reshape(n, k)
    terms = mixture.alpha + mixture.q.sum(axis=1) - 0.5 * squares
    log_likelihood = -0.5 * n * d * math.log(2 * math.pi) - n * float(_log_sum_exp(mixture.alpha, 0))
    return log_likelihood + float(_log_sum_exp(terms, 1).sum()) + _log_prior(mixture)


def jacobian(mixture: Mixture) -> dict[str, Array]:
    """Gradient of ``objective`` by alpha, mu, q and l, each in the shape of its parameter."""
    n, d = mixture.x.shape
    triangles = _triangles(mixture)
    x, mu = _centred(mixture)
    z = _whitened(x, mu, triangles)
    terms = _log_terms(mixture, z)
    responsibilities = np.exp(terms - _log_sum_exp(terms, 0))
    responsibilities[responsibilities < _NEGLIGIBLE] = 0.0
    shares = responsibilities.sum(axis=1)
    z *= responsibilities[:, :, None]
    weighted = z.sum(axis=1)
    moments = np.matmul(z.transpose(0, 2, 1), x)
    moments -= weighted[:, :, None] * mu[:, None, :]  # S_k of the module's docstring

    rows, columns = _lower_indices(d)
    diagonal = np.einsum("kjj->kj", moments)
    gamma2 = mixture.gamma**2
    return {
        "alpha": shares - n * np.exp(mixture.alpha - _log_sum_exp(mixture.alpha, 0)),
        "mu": np.matmul(weighted[:, None, :], triangles)[:, 0, :],
        "q": shares[:, None] - np.exp(mixture.q) * diagonal - gamma2 * np.exp(2 * mixture.q) + mixture.m,
        "l": -moments[:, rows, columns] - gamma2 * mixture.l,
    }


def _to_lists(gradient: dict[str, Array]) -> dict[str, Any]:
    return {name: array.tolist() for name, array in gradient.items()}


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=_to_lists),
}
