"""Precision, recall and F1 of classes, over all generations of a context."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.evaluate_instances_metric import EvaluateInstancesMetric
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.text_normalization import normalize_text
from helm.common.hierarchical_logger import hwarn
from helm.common.request import GeneratedOutput


@dataclass(frozen=True)
class ClassCounts:
    """The decisions about one class, or about several classes combined."""

    true_positives: int
    num_predicted: int
    num_true: int

    def score(self, name: str) -> float:
        """Return `f1`, `precision` or `recall`; 0.0 where undefined."""
        if name == "f1":
            numerator, denominator = 2 * self.true_positives, self.num_predicted + self.num_true
        else:
            numerator = self.true_positives
            denominator = self.num_predicted if name == "precision" else self.num_true
        return numerator / denominator if denominator else 0.0


def count_classes(true: Sequence[set[str]], predicted: Sequence[set[str]], classes: Sequence[str]) -> list[ClassCounts]:
    """Count each class; labels that are not a class are ignored."""
    counts = []
    for label in classes:
        hits = sum(label in t and label in p for t, p in zip(true, predicted, strict=True))
        counts.append(ClassCounts(hits, sum(label in p for p in predicted), sum(label in t for t in true)))
    return counts


def average_scores(counts: Sequence[ClassCounts], score: str, average: str) -> float:
    """Average scores: `micro` over all decisions; `macro` over classes; `weighted` over classes by true members."""
    if average == "micro":
        total = ClassCounts(
            sum(c.true_positives for c in counts), sum(c.num_predicted for c in counts), sum(c.num_true for c in counts)
        )
        return total.score(score)
    weights = [c.num_true if average == "weighted" else 1 for c in counts]
    total_weight = sum(weights)
    weighted = [c.score(score) * weight for c, weight in zip(counts, weights, strict=True)]
    return math.fsum(weighted) / total_weight if total_weight else 0.0


class ClassificationMetric(EvaluateInstancesMetric):
    """Scores generations that name one class, or with `delimiter` several.

    Emits `classification_{average}_{score}` for every average and score (0 to 1, higher is better), and for the average
    None one `classification_{class}_{score}` per class. Texts are normalized for the comparison, but keep articles. A
    prediction that is not a class counts as no class.

    Args:
        averages: any of micro, macro, weighted and None; macro and micro by default.
        labels: the classes; by default all labels of correct references.
        scores: any of f1, precision and recall; f1 by default.
        delimiter: separates the labels of one prediction.

    Raises: ValueError for other averages or scores.
    """

    AVERAGE_OPTIONS: list[str | None] = ["micro", "macro", "weighted", None]
    SCORE_OPTIONS = ["f1", "precision", "recall"]

    def __init__(
        self,
        averages: list[str | None] | None = None,
        labels: list[str] | None = None,
        scores: list[str] | None = None,
        delimiter: str | None = None,
    ):
        self.averages = averages or ["macro", "micro"]
        self.scores = scores or ["f1"]
        self.delimiter = delimiter
        self.labels = labels
        for average in self.averages:
            if average not in self.AVERAGE_OPTIONS:
                raise ValueError(f"Each value in `averages` must be set to one of {self.AVERAGE_OPTIONS}.")
        for score in self.scores:
            if score not in self.SCORE_OPTIONS:
                raise ValueError(f"Each value in `scores` must be set to one of {self.SCORE_OPTIONS}.")
        if labels is not None and not labels:
            hwarn("ClassificationMetric: `labels` is empty; the classes are the labels of the correct references.")

    def is_multi_label(self) -> bool:
        """Whether a generation may name several classes."""
        return bool(self.delimiter)

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        true: list[set[str]] = []
        predicted: list[set[str]] = []
        for state in request_states:
            completion = _get_only_completion(state, type(self).__name__)
            if state.output_mapping:
                raise ValueError("ClassificationMetric does not support multiple choice adapters")
            correct = state.instance.all_correct_references
            if not self.is_multi_label():
                assert len(correct) == 1, f"Instance {state.instance.id} has {len(correct)} correct references, not 1"
            pieces = completion.text.split(self.delimiter) if self.delimiter else [completion.text]
            true.append({_normalize(reference.output.text) for reference in correct if reference.output.text})
            predicted.append({_normalize(piece) for piece in pieces if piece})
        labels = {_normalize(label) for label in self.labels} if self.labels else set().union(*true)
        classes = sorted(labels)
        counts = count_classes(true, predicted, classes)
        stats: dict[str, float] = {}
        for average in self.averages:
            for score in self.scores:
                if average is not None:
                    stats[f"classification_{average}_{score}"] = average_scores(counts, score, average)
                else:
                    for label, count in zip(classes, counts, strict=True):
                        stats[f"classification_{label}_{score}"] = count.score(score)
        return [Stat(MetricName(name)).add(value) for name, value in stats.items()]

    def get_metadata(self) -> list[MetricMetadata]:
        known = {metadata.name: metadata for metadata in get_display_data(_F1_NAMES)}
        result: list[MetricMetadata] = []
        for average in self.averages:
            for score in self.scores if average is not None else []:
                name, title = f"classification_{average}_{score}", score.capitalize()
                result.append(
                    known.get(name)
                    or MetricMetadata(
                        name=name,
                        display_name=f"{str(average).capitalize()}-{title}",
                        description=f"{title} of the classes, {average} average.",
                        lower_is_better=False,
                    )
                )
        return result


_F1_NAMES = ["classification_macro_f1", "classification_micro_f1"]


class MultipleChoiceClassificationMetric(EvaluateInstancesMetric):
    """Emits macro- and micro-F1 of multiple-choice answers, with the texts of the choices as classes.

    The prediction is the choice that the most likely completion names (or the completion itself), the truth is the
    first correct reference. Emits `classification_macro_f1` and `classification_micro_f1` (0 to 1, higher is better).
    """

    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        true: list[set[str]] = []
        predicted: list[set[str]] = []
        for state in request_states:
            if state.request_mode == "calibration":
                raise ValueError("MultipleChoiceClassificationMetric does not support calibration requests")
            reference = state.instance.first_correct_reference
            assert reference is not None, f"Instance {state.instance.id} has no correct reference"
            completions: list[GeneratedOutput] = state.result.completions  # type: ignore[union-attr]
            prediction = max(completions, key=lambda completion: completion.logprob).text.strip()
            true.append({reference.output.text})
            predicted.append({(state.output_mapping or {}).get(prediction, prediction)})
        classes = sorted(set().union(*true, *predicted))
        counts = count_classes(true, predicted, classes)
        return [
            Stat(MetricName("classification_macro_f1")).add(average_scores(counts, "f1", "macro")),
            Stat(MetricName("classification_micro_f1")).add(average_scores(counts, "f1", "micro")),
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(_F1_NAMES)


def _get_only_completion(state: RequestState, metric: str) -> GeneratedOutput:
    if state.reference_index is not None:
        raise ValueError(f"{metric} does not support requests about references")
    if state.request_mode == "calibration":
        raise ValueError(f"{metric} does not support calibration requests")
    completions: list[GeneratedOutput] = state.result.completions if state.result else []  # type: ignore[union-attr]
    if len(completions) != 1:
        raise ValueError("Result must contain exactly one completion")
    return completions[0]


def _normalize(text: str) -> str:
    return normalize_text(text, should_remove_articles=False)
