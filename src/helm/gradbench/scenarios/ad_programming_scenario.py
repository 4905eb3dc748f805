"""Language models as programmers of derivatives."""

from __future__ import annotations

from collections.abc import Sequence

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.gradbench.programming.problems import PROBLEMS, check_library, get_problem


class ADProgrammingScenario(Scenario):
    """Write the derivative of a function that is given as a program.

    Every instance is a test instance without references: the function of one eval of GradBench, what the function to
    write is called and what it returns. `extra_data` holds `eval` and `library`; the workloads that answers are tried
    on, and the right outputs, are made by the eval.

    Args:
        evals: names of evals, all twelve by default.
        library: `numpy`, `autograd`, `pytorch`, `jax`, `cpp` or `ocaml`: what the program is written in.
    Raises: ConfigError for a name that does not exist.
    """

    name = "ad_programming"
    description = "Write the derivative of a function, in a given library; it is run, checked and timed."
    tags = ["automatic differentiation", "coding"]

    def __init__(self, evals: Sequence[str] = tuple(PROBLEMS), library: str = "numpy"):
        super().__init__()
        check_library(library)
        self._problems = [get_problem(name) for name in evals]
        self._library = library

    def get_instances(self, output_path: str) -> list[Instance]:
        return [
            Instance(
                Input(text=problem.prompt(self._library)),
                references=[],
                split=TEST_SPLIT,
                extra_data={"eval": problem.eval_name, "library": self._library},
            )
            for problem in self._problems
        ]

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="solved",
            main_split=TEST_SPLIT,
            display_name="AD programming",
            description=self.description,
        )
