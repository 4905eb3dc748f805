"""The metric for ratings of a jury of language models."""

from collections.abc import Mapping
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, get_annotation
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues


class LLMJuryMetric(JudgedMetric):
    """Averages the ratings of a completion over its judges and their criteria; higher is better.

    Every criterion in a judge's reply counts, whether or not it was requested, with its `score` truncated to an
    integer. If no judge is left, the default score is used, so check `METRIC_NAME_annotator_success`, the fraction of
    judges that gave a usable reply; it exists if some did not, and is 0 for an instance with the default score.

    Args:
        metric_name: name of the stat.
        scenario_name: name of the annotator.
        annotator_models: the judges by short name; replies of others are ignored.
        default_score: score of empty completions, and of those without a usable reply.
    """

    def __init__(
        self, metric_name: str, scenario_name: str, annotator_models: Mapping[str, Any], default_score: float = 0.0
    ):
        self.metric_name = metric_name
        self.scenario_name = scenario_name
        self.annotator_models = annotator_models
        self.default_score = default_score
        self.success_name = f"{metric_name}_annotator_success"

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: ValueError or TypeError for a score that is not a number; MissingAnnotationError."""
        annotation = get_annotation(request_state, self.scenario_name)
        scores = [
            int(criterion["score"])
            for judge, reply in annotation.items()
            if judge in self.annotator_models
            for criterion in reply.values()
        ]
        score = sum(scores) / len(scores) if scores else self.default_score
        return [(self.metric_name, score)]

    def get_metadata(self) -> list[MetricMetadata]:
        text = "Mean rating by a jury of language models."
        return [MetricMetadata(self.metric_name, "Jury Score", "Jury Score", text, False), *super().get_metadata()]

    def find_usable(self, annotations: dict[str, Any]) -> dict[str, Any]:
        """Drop the judges that gave something that is not a score."""
        annotation = annotations.get(self.scenario_name)
        if not isinstance(annotation, dict):
            return annotations
        usable = {
            key: value for key, value in annotation.items() if key not in self.annotator_models or _has_scores(value)
        }
        return annotations if len(usable) == len(annotation) else {**annotations, self.scenario_name: usable}

    def compute_success(self, request_state: RequestState) -> float:
        annotation = get_annotation(request_state, self.scenario_name)
        if annotation.get("prompt_text") is None or not self.annotator_models:
            return 1  # an empty completion, which is not sent to the judges
        return sum(judge in annotation for judge in self.annotator_models) / len(self.annotator_models)


def _has_scores(reply: Any) -> bool:
    try:
        return isinstance(reply, dict) and bool([int(criterion["score"]) for criterion in reply.values()])
    except (ValueError, TypeError, KeyError, OverflowError):
        return False
