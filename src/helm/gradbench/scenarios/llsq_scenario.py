from __future__ import annotations

from typing import Any

from helm.gradbench.scenarios.gradbench_scenario import GradbenchScenario


class LlsqScenario(GradbenchScenario):
    """Least-squares fit of a polynomial to the sign function: ``primal`` and ``gradient`` of each workload.

    Args:
        settings: ``n`` (numbers of points), ``m`` (numbers of coefficients), ``min_runs`` and ``min_seconds``, as `LlsqEval`
            has them.
    """

    def __init__(self, **settings: Any):
        super().__init__("llsq", **settings)
        self.description = "Least-squares fit of a polynomial to the sign function, and its gradient."
