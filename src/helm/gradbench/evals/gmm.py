"""gmm: log of likelihood times prior of a Gaussian mixture, and its gradient."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from helm.common.errors import ConfigError
from helm.gradbench.comparison import Analysis, analyze_by_golden
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions, sorted_by_product
from helm.gradbench.evals.registry import ad_eval


@ad_eval
@dataclass(frozen=True)
class GmmEval(RepeatedEval):
    """A mixture of k Gaussians in d dimensions, n points, and a Wishart prior over the precision matrices."""

    d: tuple[int, ...] = (2, 10, 20, 32, 64)
    """Dimensions."""

    k: tuple[int, ...] = (5, 10, 25, 50, 100)
    """Numbers of components."""

    n: int = 1000
    """Number of points."""

    m: int = 0
    """Extra degrees of freedom of the prior, >= 0."""

    gamma: float = 1.0
    """Precision of the prior, > 0."""

    seed: int = LEGACY_SEED
    """Seed of the generator, which starts anew for each workload."""

    no_validation: bool = False
    """Approve every output."""

    validate_naive: bool = False
    """Check the objective alone, against the densities multiplied out; overflows for all but tiny workloads."""

    name = "gmm"
    primal = "objective"
    derivative = "jacobian"
    least = {**RepeatedEval.least, "d": 1, "k": 1, "n": 1, "m": 0, "seed": 0}
    run_doc = """Gaussian mixtures with ``k`` components of ``d`` dimensions over ``n`` points.

    The original goes up to ``d=2+10+20+32+64,k=5+10+25+50+100``; the files of such a run are hundreds of megabytes.
    """
    run_defaults = {"d": "2+10+20", "k": "5+10+25", "n": 1000}
    scenario = "helm.gradbench.scenarios.gmm_scenario.GmmScenario"
    check_flags = ("-d", "3", "-k", "2", "-n", "5")
    differentiated = ("alpha", "mu", "q", "l")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.gamma < math.inf:
            raise ConfigError(f"gmm: gamma must be above 0, got {self.gamma}.")

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=cls.seed, help="seed of the generator")
        parser.add_argument("-d", type=int, nargs="+", default=cls.d, metavar="D", help="dimensions")
        parser.add_argument("-k", type=int, nargs="+", default=cls.k, metavar="K", help="numbers of components")
        parser.add_argument("-n", type=int, default=cls.n, metavar="N", help="number of points")
        parser.add_argument("-m", type=int, default=cls.m, metavar="M", help="extra degrees of freedom of the prior")
        parser.add_argument("--gamma", type=float, default=cls.gamma, help="precision of the prior")
        super().add_arguments(parser)
        parser.add_argument("--no-validation", action="store_true", help="approve every output")
        parser.add_argument(
            "--validate-naive", action="store_true", help="check the objective against densities multiplied out"
        )

    def config(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "d": list(self.d),
            "k": list(self.k),
            "n": self.n,
            "m": self.m,
            "gamma": self.gamma,
            "min_runs": self.min_runs,
            "min_seconds": self.min_seconds,
            "no_validation": self.no_validation,
            "validate_naive": self.validate_naive,
        }

    def evaluations(self) -> Iterator[Evaluation]:
        for d, k in sorted_by_product(self.d, self.k):
            yield from self.primal_and_derivative(self._workload(d, k), f"{d}_{k}_{self.n}")

    def _workload(self, d: int, k: int) -> dict[str, Any]:
        import numpy as np

        generator = np.random.default_rng(self.seed)
        # The order of the draws is part of the workload: x, alpha, mu, q, l.
        x = generator.standard_normal((self.n, d)).tolist()
        alpha = generator.standard_normal(k).tolist()
        mu = generator.random((k, d)).tolist()
        q = generator.standard_normal((k, d)).tolist()
        lower = generator.standard_normal((k, d * (d - 1) // 2)).tolist()
        scalars = {"d": d, "k": k, "n": self.n}
        return {**scalars, "x": x, "m": self.m, "gamma": self.gamma, "alpha": alpha, "mu": mu, "q": q, "l": lower}

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        if self.no_validation:
            return Analysis(True)
        if self.validate_naive:
            if function != self.primal:
                return Analysis(True)
            return analyze_by_golden(lambda: naive_objective(value), output, strict=strict)
        golden = {"objective": golden_objective, "jacobian": golden_jacobian}
        return analyze_by_functions(golden, function, value, output, strict)


def _lower_triangle(log_diagonal: Any, lower: Any) -> Any:
    """The matrix with exp(log_diagonal) on its diagonal and ``lower`` below it, column by column; shape (d, d)."""
    import numpy as np

    matrix = np.diag(np.exp(log_diagonal))
    position = 0
    for column in range(len(log_diagonal)):
        for row in range(column + 1, len(log_diagonal)):
            matrix[row, column] = lower[position]
            position += 1
    return matrix


def _arrays(value: Any) -> tuple[Any, ...]:
    import numpy as np

    return tuple(np.array(value[name], dtype=np.float64) for name in ("x", "alpha", "mu", "q", "l"))


def _log_multigamma(a: float, d: int) -> float:
    return d * (d - 1) / 4 * math.log(math.pi) + sum(math.lgamma(a + (1 - j) / 2) for j in range(1, d + 1))


def _components(value: Any) -> tuple[Any, list[tuple[Any, Any, Any]]]:
    """Logs of the components' shares, shape (k, n), and per component Q, x - mu and Q (x - mu)."""
    import numpy as np

    x, alpha, mu, q, l = _arrays(value)  # noqa: E741
    parts, logs = [], []
    for j in range(value["k"]):
        matrix = _lower_triangle(q[j], l[j])
        centred = x - mu[j]
        z = centred @ matrix.T
        parts.append((matrix, centred, z))
        logs.append(alpha[j] + q[j].sum() - 0.5 * (z**2).sum(axis=1))
    return np.array(logs), parts


def golden_objective(value: Any) -> float:
    """Expected output of ``objective``."""
    import numpy as np

    d, k, n, m, gamma = (value[name] for name in ("d", "k", "n", "m", "gamma"))
    _, alpha, _, q, l = _arrays(value)  # noqa: E741
    logs, _ = _components(value)
    likelihood = -n * d / 2 * math.log(2 * math.pi) - n * np.logaddexp.reduce(alpha)
    likelihood += np.logaddexp.reduce(logs, axis=0).sum()
    degrees = d + m + 1
    prior = k * (degrees * d * (math.log(gamma) - math.log(2) / 2) - _log_multigamma(degrees / 2, d))
    prior -= gamma**2 / 2 * (np.exp(2 * q).sum() + (l**2).sum()) - m * q.sum()
    return float(likelihood + prior)


def golden_jacobian(value: Any) -> dict[str, Any]:
    """Expected output of ``jacobian``: lists in the shapes of alpha, mu, q and l."""
    import numpy as np

    d, n, m, gamma = (value[name] for name in ("d", "n", "m", "gamma"))
    _, alpha, _, q, l = _arrays(value)  # noqa: E741
    logs, parts = _components(value)
    responsibilities = np.exp(logs - np.logaddexp.reduce(logs, axis=0))
    weights = np.exp(alpha - np.logaddexp.reduce(alpha))
    mu_rows, q_rows, l_rows = [], [], []
    for j, (matrix, centred, z) in enumerate(parts):
        weighted = responsibilities[j][:, None] * z
        mu_rows.append((weighted @ matrix).sum(axis=0).tolist())
        along = responsibilities[j].sum() - np.exp(q[j]) * (weighted * centred).sum(axis=0)
        q_rows.append((along - gamma**2 * np.exp(2 * q[j]) + m).tolist())
        columns = [-weighted[:, column + 1 :].T @ centred[:, column] for column in range(d)]
        l_rows.append((np.concatenate(columns) - gamma**2 * l[j]).tolist())
    alpha_row = (responsibilities.sum(axis=1) - n * weights).tolist()
    return {"alpha": alpha_row, "mu": mu_rows, "q": q_rows, "l": l_rows}


def naive_objective(value: Any) -> float:
    """The objective from products of densities, without any of the rearrangements of ``golden_objective``."""
    import numpy as np

    d, k, m, gamma = (value[name] for name in ("d", "k", "m", "gamma"))
    x, alpha, mu, q, l = _arrays(value)  # noqa: E741
    weights = np.exp(alpha) / np.exp(alpha).sum()
    precisions = [matrix.T @ matrix for matrix in (_lower_triangle(q[j], l[j]) for j in range(k))]
    likelihood = 1.0
    for point in x:
        density = 0.0
        for weight, mean, precision in zip(weights, mu, precisions, strict=True):
            exponent = -0.5 * (point - mean) @ precision @ (point - mean)
            density += weight * math.sqrt(np.linalg.det(precision) / (2 * math.pi) ** d) * math.exp(exponent)
        likelihood *= density
    degrees = d + m + 1
    prior = 1.0
    for precision in precisions:
        # Wishart density of the precision matrix with scale 1 / gamma^2 times the identity.
        norm = 2 ** (degrees * d / 2) * gamma ** (-2 * degrees * d / 2) * math.exp(_log_multigamma(degrees / 2, d))
        prior *= np.linalg.det(precision) ** (m / 2) * math.exp(-0.5 * gamma**2 * np.trace(precision)) / norm
    return math.log(likelihood * prior)
