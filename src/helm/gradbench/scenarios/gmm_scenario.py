from __future__ import annotations

from typing import Any

from helm.gradbench.scenarios.gradbench_scenario import GradbenchScenario


class GmmScenario(GradbenchScenario):
    """Gaussian mixtures with a Wishart prior: ``objective`` and ``jacobian`` of each workload.

    Args:
        settings: ``d`` (dimensions), ``k`` (numbers of components), ``n`` (points), ``m``, ``gamma``, ``seed``, ``min_runs``
            and ``min_seconds``, as `GmmEval` has them.
    """

    def __init__(self, **settings: Any):
        super().__init__("gmm", **settings)
        self.description = "Log-likelihood of a Gaussian mixture with a Wishart prior, and its gradient."
