"""Runs with `num_trials` > 1, which send every request several times."""

from typing import Any, Dict, List

import pytest

from helm.benchmark.metrics.basic_metrics import (
    BasicGenerationMetric,
    BasicReferenceMetric,
    InstancesPerSplitMetric,
)
from helm.benchmark.metrics.classification_metrics import ClassificationMetric
from helm.benchmark.metrics.metric import split_repeats
from helm.benchmark.metrics.ruler_qa_metrics import RulerQAMetric
from helm.common.errors import MetricError
from metrics_support import make_metric_service, make_scenario_state


def make_state(answers: List[List[str]], num_trials: int, **adapter: Any):
    """`answers`: of every instance those of its repeats; the right one is "red"."""
    instances = {
        str(i): {"id": f"id{i}", "split": "test", "references": [["red", ["correct"]]]} for i in range(len(answers))
    }
    requests = [
        {"instance": str(i), "completions": [{"text": answers[i][repeat], "tokens": [["t", -1.0]], "logprob": -1.0}]}
        for repeat in range(len(answers[0]))
        for i in range(len(answers))
    ]
    adapter = {"method": "generation", "num_trials": num_trials, **adapter}
    return make_scenario_state({"adapter": adapter, "instances": instances, "requests": requests})


def means(metric, state) -> Dict[str, Any]:
    result = metric.evaluate(state, make_metric_service(), "", 1)
    return {stat.name.name: stat.mean for stat in result.aggregated_stats if stat.name.perturbation is None}


ANSWERS = [["red", "blue"], ["red", "red"], ["blue", "blue"], ["red", "red"]]


def test_an_instance_counts_with_the_mean_of_its_repeats():
    state = make_state(ANSWERS, num_trials=2)
    result = BasicGenerationMetric(["exact_match"]).evaluate(state, make_metric_service(), "", 1)
    by_instance = [
        next(stat.mean for stat in stats.stats if stat.name.name == "exact_match")
        for stats in result.per_instance_stats
    ]
    assert by_instance == [0.5, 1.0, 0.0, 1.0]
    stats = {(s.name.name, s.name.perturbation is None): s for s in result.aggregated_stats}
    assert stats["exact_match", True].mean == stats["exact_match", False].mean == 0.625
    assert stats["exact_match", True].count == 1
    assert stats["perplexity", True].mean == pytest.approx(2.718281828459045)


def test_other_metrics_take_repeats_too():
    state = make_state(ANSWERS, num_trials=2)
    assert means(RulerQAMetric(), state) == {"ruler_string_match_part": 0.625}
    assert means(InstancesPerSplitMetric(), state) == {"num_instances": 4.0}
    assert 0 < means(ClassificationMetric(), state)["classification_micro_f1"] < 1


def test_equal_repeats_change_no_number():
    once = make_state([[row[0]] for row in ANSWERS], num_trials=1)
    thrice = make_state([[row[0]] * 3 for row in ANSWERS], num_trials=3)
    metric = BasicGenerationMetric(["exact_match", "f1_score"])
    assert means(metric, thrice) == means(metric, once)


def test_requests_about_references_are_repeated_as_a_whole():
    references = [["red", ["correct"]], ["blue", []]]

    def request(reference: int, logprob: float) -> Dict[str, Any]:
        tokens = [[character, logprob] for character in [" ", *references[reference][0]]]
        completions = [{"text": "", "tokens": tokens}]
        return {"instance": "a", "reference_index": reference, "request_mode": "original", "completions": completions}

    scenario = {
        "adapter": {"method": "multiple_choice_separate_original", "num_trials": 2},
        "instances": {"a": {"id": "id0", "split": "test", "references": references}},
        "requests": [request(0, -1.0), request(1, -2.0), request(0, -3.0), request(1, -2.0)],
    }
    assert means(BasicReferenceMetric(), make_scenario_state(scenario))["exact_match"] == 0.5


def test_two_requests_where_one_is_due_are_still_an_error():
    with pytest.raises(MetricError, match="Expected 1 item, got 2 items"):
        means(RulerQAMetric(), make_state(ANSWERS, num_trials=1))


def test_requests_that_were_not_repeated_stay_together():
    states = make_state([["red"], ["blue"]], num_trials=2).request_states
    assert split_repeats(states[:1], 2) == [states[:1]]
