"""Evals as scenarios: one instance for each evaluation that the eval asks for."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.gradbench.evals.eval import Eval, Evaluation


class EvalScenario(Scenario):
    """Base of the scenarios made from evals.

    Every instance is a test instance without references. Its ``extra_data`` holds ``module``, ``function``, ``input``
    (or ``input_from``, the id of the instance whose output it continues) and, where the eval gives one,
    ``description``, the name of the workload. The input's text only says in words what is asked.
    """

    tags = ["automatic differentiation"]

    @abstractmethod
    def make_eval(self) -> Eval:
        """The eval with this scenario's settings."""

    def get_instances(self, output_path: str) -> list[Instance]:
        eval_ = self.make_eval()
        return [self._instance(eval_, i, evaluation) for i, evaluation in enumerate(eval_.evaluations())]

    @staticmethod
    def _instance(eval_: Eval, index: int, evaluation: Evaluation) -> Instance:
        data: dict[str, Any] = {"module": eval_.name, "function": evaluation.function}
        if evaluation.continues:
            data["input_from"] = f"id{index - 1}"  # the Runner numbers instances in order
        else:
            data["input"] = evaluation.input
        text = f"{eval_.name}::{evaluation.function}"
        if evaluation.description is not None:
            data["description"] = evaluation.description
            text += f" {evaluation.description}"
        return Instance(Input(text=text), references=[], split=TEST_SPLIT, extra_data=data)

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=f"gradbench_{self.make_eval().name}",
            main_metric="solved",
            main_split=TEST_SPLIT,
            display_name=self.name,
            description=self.description,
        )
