"""The metrics of lm-evaluation-harness tasks."""

import math

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.lm_eval_metrics import (
    LMEvalCorpusMetric,
    LMEvalGenerationMetric,
    LMEvalLoglikelihoodMetric,
    LMEvalMultipleChoiceMetric,
)
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.errors import MetricError
from helm.common.request import GeneratedOutput, Request, RequestResult, Token
from metrics_support import make_metric_service


def make_instance(number, *references):
    """References are texts; a correct one begins with `*`."""
    made = [Reference(Output(text=one.removeprefix("*")), [CORRECT_TAG] * one.startswith("*")) for one in references]
    return Instance(Input(text="Q"), made, split="test", id=f"id{number}")


def make_state(instance, completions, reference_index=None):
    outputs = [
        GeneratedOutput("".join(token for token, _ in one), 0, [Token(*token) for token in one])
        if isinstance(one, list)
        else GeneratedOutput(one, 0, [])
        for one in completions
    ]
    result = RequestResult(success=True, cached=False, embedding=[], completions=outputs, request_time=0)
    mode = None if reference_index is None else "original"
    return RequestState(instance, reference_index, mode, 0, None, Request(), result, 0, False)


def means(metric, states):
    scenario_state = ScenarioState(AdapterSpec(num_train_trials=1), states)
    result = metric.evaluate(scenario_state, make_metric_service(), "", 1)
    return {stat.name.name: stat.mean for stat in result.aggregated_stats if stat.name.perturbation is None}


def choice_states(number, references, logprobs):
    """One request for each choice; its tokens are the prompt and the choice, a token a word."""
    instance = make_instance(number, *references)
    return [
        make_state(instance, [[("Q", -99.0), *((f" {word}", logprob) for word in text.split(" "))]], i)
        for i, (text, logprob) in enumerate(zip((one.removeprefix("*") for one in references), logprobs, strict=True))
    ]


def test_likeliest_choice_by_sum_and_by_length():
    # log-likelihoods -2.0 and -3 * 0.8 = -2.4; by character -2.0 and -2.4 / 5
    states = choice_states(0, ["a", "*b c d"], [-2.0, -0.8])
    assert means(LMEvalMultipleChoiceMetric(["acc", "acc_norm"]), states) == {
        "predicted_choice": 0, "acc": 0, "acc_norm": 1,
    }  # fmt: skip


def test_prompt_does_not_count_and_ties_go_to_the_first():
    states = choice_states(0, ["*a", "b"], [-1.0, -1.0])
    assert means(LMEvalMultipleChoiceMetric(["acc"]), states)["acc"] == 1


def test_f1_and_matthews_over_all_instances():
    # right, predicted: (1, 1) twice, (1, 0), (0, 1), (0, 0) three times
    pairs = [(1, 1), (1, 1), (1, 0), (0, 1), (0, 0), (0, 0), (0, 0)]
    states = []
    for i, (right, predicted) in enumerate(pairs):
        texts = ["no", "yes"]
        texts[right] = "*" + texts[right]
        states += choice_states(i, texts, [-1.0, -0.5] if predicted else [-0.5, -1.0])
    got = means(LMEvalMultipleChoiceMetric(["f1", "mcc"]), states)
    assert got["f1"] == pytest.approx(2 * 2 / (3 + 3))
    true_positive, true_negative, false_positive, false_negative = 2, 3, 1, 1
    expected = (true_positive * true_negative - false_positive * false_negative) / math.sqrt(3 * 3 * 4 * 4)
    assert got["mcc"] == pytest.approx(expected)


def test_answer_without_tokens_is_an_error_that_says_what_to_do():
    states = [make_state(make_instance(0, "*a"), ["Q a"], 0)]
    with pytest.raises(MetricError, match="id0.*no tokens with log-probabilities.*method=multiple_choice_joint"):
        means(LMEvalMultipleChoiceMetric(["acc"]), states)
    states = choice_states(0, ["*a"], [math.nan])
    with pytest.raises(MetricError, match="NaN"):
        means(LMEvalMultipleChoiceMetric(["acc"]), states)


def test_perplexity_is_of_the_mean_over_targets():
    states = choice_states(0, ["*a b"], [-1.0]) + choice_states(1, ["* c"], [-4.0])
    got = means(LMEvalLoglikelihoodMetric(), states)
    assert got["loglikelihood"] == -3.0
    assert got["perplexity"] == pytest.approx(math.exp(3))
    assert means(LMEvalLoglikelihoodMetric(), choice_states(0, ["*a"], [-math.inf]))["perplexity"] == math.inf


def test_each_filter_gives_a_score_and_the_best_reference_counts():
    metric = LMEvalGenerationMetric(
        [{"name": "exact_match", "args": {"ignore_case": True}}],
        [
            {"suffix": "_strict", "steps": [{"function": "regex", "regex_pattern": "#### (.*)"}]},
            {"suffix": "_last", "steps": [{"function": "regex", "regex_pattern": r"\w+", "group_select": -1}]},
        ],
    )
    states = [make_state(make_instance(0, "*four", "*4"), ["so it is FOUR"])]
    assert means(metric, states) == {"no_completion": 0, "exact_match_strict": 0, "exact_match_last": 1}


def test_majority_of_several_completions():
    metric = LMEvalGenerationMetric(
        [{"name": "exact_match"}], [{"suffix": "", "steps": [{"function": "majority_vote"}]}]
    )
    states = [make_state(make_instance(0, "*a"), ["b", "a", "a"])]
    assert means(metric, states)["exact_match"] == 1


def test_nothing_to_score_is_counted_and_not_wrong():
    metric = LMEvalGenerationMetric([{"name": "exact_match"}])
    assert means(metric, [make_state(make_instance(0, "*a"), [])]) == {"no_completion": 1}
    assert means(metric, [make_state(make_instance(0, "*a"), [""])]) == {"no_completion": 0, "exact_match": 0}


def test_target_as_the_greedy_continuation():
    metric = LMEvalGenerationMetric([{"name": "acc"}])
    states = [make_state(make_instance(0, "*mat"), [" mat. Then"]), make_state(make_instance(1, "*mat"), [" hat"])]
    assert means(metric, states)["acc"] == 0.5


def test_corpus_scores_are_those_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    predictions = ["the cat sat on the mat today", "a dog barked at the other dog"]
    references = [["*the cat sat on the mat", "*a cat was on the mat"], ["*the dog barked at another dog"]]
    states = [
        make_state(make_instance(i, *texts), [text])
        for i, (text, texts) in enumerate(zip(predictions, references, strict=True))
    ]
    columns = [["the cat sat on the mat", "the dog barked at another dog"], ["a cat was on the mat", None]]
    got = means(LMEvalCorpusMetric(["bleu", "chrf", "ter"]), states)
    assert got["bleu"] == pytest.approx(sacrebleu.corpus_bleu(predictions, columns).score)
    assert got["chrf"] == pytest.approx(sacrebleu.corpus_chrf(predictions, columns).score)
    assert got["ter"] == pytest.approx(sacrebleu.corpus_ter(predictions, columns).score)


@pytest.mark.parametrize(
    "make", [
        lambda: LMEvalGenerationMetric([{"name": "exact_mtch"}]),
        lambda: LMEvalCorpusMetric(["blue"]),
        lambda: LMEvalMultipleChoiceMetric(["ac"]),
    ],
)  # fmt: skip
def test_unknown_metric_names_the_nearest(make):
    with pytest.raises(MetricError, match="Did you mean"):
        make()
