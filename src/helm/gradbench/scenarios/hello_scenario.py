from __future__ import annotations

from helm.gradbench.scenarios.gradbench_scenario import GradbenchScenario


class HelloScenario(GradbenchScenario):
    """Squares and their derivatives in a chain of eight evaluations, each of which continues with the last output."""

    def __init__(self):
        super().__init__("hello")
        self.description = "A chain of squares and their derivatives: the first sign of life of an AD tool."
