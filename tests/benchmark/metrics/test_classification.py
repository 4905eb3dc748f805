"""Scores over classes, against small tables by hand, and the errors of population metrics."""

import pytest

from helm.benchmark.metrics.classification_metrics import ClassificationMetric, average_scores, count_classes
from helm.benchmark.metrics.evaluate_reference_metrics import get_reference_metric
from helm.common.errors import MetricError
from metrics_support import make_metric_service, make_scenario_state

TRUE = [{"a"}, {"a"}, {"b"}, {"c"}]
PREDICTED = [{"a"}, {"b"}, {"b"}, {"unknown"}]


@pytest.mark.parametrize(
    "average, score, expected",
    [
        ("micro", "precision", 2 / 3),
        ("micro", "recall", 2 / 4),
        ("micro", "f1", 4 / 7),
        ("macro", "precision", (1 + 1 / 2 + 0) / 3),
        ("macro", "recall", (1 / 2 + 1 + 0) / 3),
        ("macro", "f1", (2 / 3 + 2 / 3 + 0) / 3),
        ("weighted", "f1", (2 * 2 / 3 + 2 / 3 + 0) / 4),
    ],
)
def test_averages(average: str, score: str, expected: float) -> None:
    counts = count_classes(TRUE, PREDICTED, ["a", "b", "c"])
    assert average_scores(counts, score, average) == pytest.approx(expected, rel=1e-15)


def test_no_class_at_all_scores_zero() -> None:
    assert [average_scores([], "f1", average) for average in ("micro", "macro", "weighted")] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("seed", range(10))
def test_scikit_learn_agrees(seed: int) -> None:
    import random

    import numpy as np
    from sklearn.metrics import f1_score

    rng = random.Random(seed)
    classes = ["a", "b", "c", "d"]
    true = [set(rng.sample(classes, rng.randrange(3))) for _ in range(20)]
    predicted = [set(rng.sample(classes, rng.randrange(3))) for _ in range(20)]
    matrices = [np.array([[label in row for label in classes] for row in rows]) for rows in (true, predicted)]
    for average in ("micro", "macro", "weighted"):
        expected = f1_score(*matrices, average=average, zero_division=0)
        assert average_scores(count_classes(true, predicted, classes), "f1", average) == pytest.approx(expected)


def test_an_error_names_metric_split_and_instances() -> None:
    state = make_scenario_state(
        {
            "adapter": {"method": "generation"},
            "instances": {"a": {"id": "id7", "split": "test", "references": [["yes", []]]}},
            "requests": [{"instance": "a", "completions": [{"text": "yes"}]}],
        }
    )
    with pytest.raises(MetricError, match="ClassificationMetric failed on .* split test .*id7.*0 correct references"):
        ClassificationMetric().evaluate(state, make_metric_service(), "", 1)


def test_a_misspelt_name_is_told_with_the_nearest_one() -> None:
    with pytest.raises(MetricError, match="wer_scor is not in the list of metric functions. Did you mean 'wer_score'?"):
        get_reference_metric("wer_scor")
