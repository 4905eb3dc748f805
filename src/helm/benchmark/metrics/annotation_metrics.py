"""Metrics on arbitrary annotations: labels, numbers, ratings."""

from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError, get_annotation
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError


class AnnotationValueError(MetricError, ValueError):
    """An annotation has a value that the metric does not know. HELM raises ValueError."""


class NotANumberError(UnjudgedInstanceError, TypeError):
    """There is no number to rescale. HELM raises TypeError."""


class _AnnotationMetric(JudgedMetric):
    """Reads one key of one annotation.

    Args:
        annotator_name: key of the annotation.
        key: key within it.
    """

    def __init__(self, annotator_name: str, key: str):
        self.annotator_name = annotator_name
        self.key = key
        self.success_name = f"annotation_{annotator_name}_{key}_annotator_success"

    def get_value(self, request_state: RequestState) -> Any:
        """Return the value. Raises: MissingAnnotationError; KeyError if the annotation lacks the key."""
        annotation = get_annotation(request_state, self.annotator_name)
        if self.key not in annotation:
            raise KeyError(f"{self.key}: the annotation has only {', '.join(annotation)}")
        return annotation[self.key]

    @property
    def stat_name(self) -> str:
        return f"annotation_{self.annotator_name}_{self.key}"


class AnnotationLabelMetric(_AnnotationMetric):
    """Emits `annotation_ANNOTATOR_KEY_LABEL` for each label: 1 for the label that was given, 0 for the others.

    Args:
        labels: all valid labels; any other one is an error.
    """

    def __init__(self, annotator_name: str, key: str, labels: list[str]):
        super().__init__(annotator_name, key)
        self.labels = labels

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: UnjudgedInstanceError for None, AnnotationValueError for an unknown label."""
        value = self.get_value(request_state)
        if value not in self.labels:
            message = (
                f"Unrecognized annotation label {value!r} (known labels: {self.labels}) of {self.annotator_name} for "
                f"instance {request_state.instance.id}"
            )
            raise UnjudgedInstanceError(message) if value is None else AnnotationValueError(message)
        return [(f"{self.stat_name}_{label}", label == value) for label in self.labels]


class AnnotationNumericMetric(_AnnotationMetric):
    """Emits the number itself as `annotation_ANNOTATOR_KEY`; no value for None."""

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: TypeError for anything but a number or None."""
        return [(self.stat_name, self.get_value(request_state))]

    def compute_success(self, request_state: RequestState) -> float:
        return 0 if self.get_value(request_state) is None else 1


class AnnotationLikertScaleMetric(_AnnotationMetric):
    """Emits `annotation_ANNOTATOR_KEY`, a rating rescaled from `min_score`..`max_score` to 0..1."""

    def __init__(self, annotator_name: str, key: str, min_score: int, max_score: int):
        super().__init__(annotator_name, key)
        self.min_score = min_score
        self.max_score = max_score

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: NotANumberError for None, AnnotationValueError outside the scale."""
        value = self.get_value(request_state)
        if value is None:
            raise NotANumberError(f"instance {request_state.instance.id} has no rating by {self.annotator_name}")
        if not self.min_score <= value <= self.max_score:
            raise AnnotationValueError(
                f"Rating {value} by {self.annotator_name} for instance {request_state.instance.id} is not between "
                f"{self.min_score} and {self.max_score}"
            )
        return [(self.stat_name, (value - self.min_score) / (self.max_score - self.min_score))]
