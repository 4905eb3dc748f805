"""The adapter that turns instances of AD evals into requests to tools."""

from __future__ import annotations

from typing import Any

from helm.benchmark.adaptation.adapters.adapter import Adapter
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.scenarios.scenario import EVAL_SPLITS, Instance
from helm.common.errors import ScenarioError
from helm.common.evaluate_request import EvaluateRequest


class EvaluateAdapter(Adapter):
    """Turn each evaluation instance into one ``EvaluateRequest``; training instances are ignored.

    ``Instance.extra_data`` holds ``module``, ``function`` and either ``input`` (any JSON value) or ``input_from`` (the
    id of an earlier instance, whose output becomes the input), and may hold ``description``. Raises ``ScenarioError``,
    naming the instance, when one of them is absent or the earlier instance is not part of the run.
    """

    request_type = EvaluateRequest

    def adapt(self, instances: list[Instance], parallelism: int) -> list[RequestState]:
        splits = self.adapter_spec.eval_splits or EVAL_SPLITS
        states: list[RequestState] = []
        earlier: set[str | None] = set()
        for instance in instances:
            if instance.split in splits:
                states.append(new_request_state(instance, self._request(instance, earlier)))
                earlier.add(instance.id)
        return states

    @staticmethod
    def _request(instance: Instance, earlier: set[str | None]) -> EvaluateRequest:
        data: dict[str, Any] = instance.extra_data or {}
        missing = [name for name in ("module", "function") if name not in data]
        if "input" not in data and "input_from" not in data:
            missing.append("input or input_from")
        if missing:
            raise ScenarioError(f"Instance {instance.id}: extra_data lacks {', '.join(missing)}.")
        source = data.get("input_from")
        if source is not None and source not in earlier:
            raise ScenarioError(
                f"Instance {instance.id} takes its input from the output of instance {source}, which is not evaluated "
                f"before it. All instances of the scenario are needed: raise max_eval_instances (-m)."
            )
        return EvaluateRequest(
            module=data["module"],
            function=data["function"],
            input=data.get("input"),
            description=data.get("description"),
            input_from=source,
        )
