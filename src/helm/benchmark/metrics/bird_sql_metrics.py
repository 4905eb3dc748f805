"""Measures whether an SQL query returns the same rows as the correct one."""

import json
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError


def get_annotation(request_state: RequestState, name: str, keys: list[str]) -> dict[str, Any]:
    """Return an annotator's output. Raises: MetricError that names what is missing."""
    annotation = (request_state.annotations or {}).get(name)
    if not isinstance(annotation, dict) or any(key not in annotation for key in keys):
        raise MetricError(
            f"Instance {request_state.instance.id}: there is no annotation '{name}' with {', '.join(keys)}. "
            f"Is the annotator '{name}' among the annotators of the run spec?"
        )
    return annotation


def as_set(rows: list[Any]) -> frozenset[Any]:
    """Return the rows as a set, ignoring order and duplicates. 1 and 1.0 are equal, 1 and '1' are not."""
    return frozenset(
        tuple(json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else value for value in row)
        for row in rows
    )


class BirdSQLMetric(StateMetric):
    """Emits `execution_accuracy`: 1 if the query's rows, as a set, equal those of the correct query, else 0.

    HELM: a query that failed counts as one without rows, so it is correct if the correct query finds nothing; the
    annotation's `query_error` and `ground_truth_error` distinguish the cases. Nothing is emitted without a reference.
    """

    ANNOTATOR_NAME = "bird_sql"

    def score_state(self, request_state: RequestState) -> NamedValues:
        if not request_state.instance.references:
            return []
        keys = ["predicted_result", "ground_truth_result"]
        annotation = get_annotation(request_state, self.ANNOTATOR_NAME, keys)
        predicted, right = (as_set(annotation[key]) for key in keys)
        return [("execution_accuracy", int(predicted == right))]

    def get_metadata(self) -> list[MetricMetadata]:
        description = "Share of queries that give the rows of the right query."
        return [MetricMetadata("execution_accuracy", "Execution accuracy", "EX", description, False, "accuracy")]
