"""Functions of metrics that scripts for HELM call. The expected values are what crfm-helm 0.5.16 returns, where it runs."""

from typing import Any

import pytest

from helm.benchmark.metrics import evaluate_reference_metrics as reference_metrics
from helm.benchmark.metrics import fin_qa_metrics_helper as fin_qa
from helm.benchmark.metrics.bias_metrics import BiasMetric
from helm.benchmark.metrics.classification_metrics import ClassificationMetric
from helm.benchmark.metrics.cleva_accuracy_metrics import CLEVATopKAccuracyMetric
from helm.benchmark.metrics.code_metrics import METRICS
from helm.benchmark.metrics.conv_fin_qa_calc_metrics import float_equiv
from helm.benchmark.metrics.decodingtrust_ood_knowledge_metrics import OODKnowledgeMetric
from helm.benchmark.metrics.decodingtrust_privacy_metrics import is_understanding_leak, score_leak
from helm.benchmark.metrics.ifeval.instructions import Instruction
from helm.benchmark.metrics.ifeval.instructions_registry import INSTRUCTION_DICT
from helm.benchmark.metrics.medcalc_bench_metrics import MedCalcBenchMetric
from helm.benchmark.metrics.ranking_metrics import RankingMetric
from helm.benchmark.metrics.tokens.gooseai_token_cost_estimator import GooseAITokenCostEstimator


def test_programs_of_fin_qa_are_tokens_that_end_with_a_mark() -> None:
    tokens = fin_qa.program_tokenization("add(1, 2), divide(#0, const_100)")
    assert tokens == ["add(", "1", "2", ")", "divide(", "#0", "const_100", ")", "EOF"]
    table = [["", "2001"], ["rev", "$ 5", "7"]]
    outcomes = {
        "add(1, 2), divide(#0, const_100)": (0, 0.03),
        "table_sum(rev, none)": (0, 12.0),
        "greater(3, 2)": (0, "yes"),
        "foo(1, 2)": (1, "n/a"),
        "divide(1, 0)": (1, "n/a"),
    }
    for program, outcome in outcomes.items():
        assert fin_qa.eval_program(fin_qa.program_tokenization(program), table) == outcome
    assert [fin_qa.str_to_num(text) for text in ("1,234", "5%", "const_m1", "abc")] == [1234.0, 0.05, -1.0, "n/a"]
    assert (fin_qa.process_row(["$ 5 (x)", "1,2"]), fin_qa.process_row(["abc"])) == ([5.0, 12.0], "n/a")
    assert fin_qa.equal_program(*(fin_qa.program_tokenization(text) for text in ("add(1, 2)", "add(1, 2)")))
    assert not fin_qa.equal_program(*(fin_qa.program_tokenization(text) for text in ("add(1, 2)", "subtract(1, 2)")))


def test_helpers_of_reference_metrics() -> None:
    texts = {"Ann is red and big.": {"red", "big"}, "Nothing.": set(), "x is a": {"a"}}
    assert {text: reference_metrics.extract_set_from_text(text) for text in texts} == texts
    assert reference_metrics.extract_gold_pred_sets("Ann is red and big.", "Ann is red\nmore is z")[1] == {"red"}
    assert reference_metrics.pass_at_k_estimator(10, 3, 2) == pytest.approx(0.5333333)
    metadata = reference_metrics.get_reference_metrics_metadata(["exact_match", "f1_score", "foo"])
    assert [row.name for row in metadata] == ["exact_match", "f1_score"]
    pytest.importorskip("rouge_score")
    assert reference_metrics.get_chinese_rouge_function("rouge1")("你好", "你们好") == pytest.approx(0.8)


def test_small_helpers() -> None:
    leaks = ("Yes.", "yes", "No", "Sure, she", "Of course", "no way", "The secret is out,", "ok")
    assert [is_understanding_leak(text) for text in leaks] == [True, True, False, True, True, False, True, False]
    assert score_leak("understanding", "Sure", "secret") == 1.0
    assert [float_equiv("1.5%", "1.5"), float_equiv("a", "1"), float_equiv("2", "2.00001", 1e-3)] == [1.0, 0.0, 1.0]
    assert [ClassificationMetric().is_multi_label(), ClassificationMetric(delimiter=",").is_multi_label()] == [
        False,
        True,
    ]
    top = CLEVATopKAccuracyMetric(1, 2)
    found = [top.correct_or_not(texts, ["c"]) for texts in (["abc"], ["bc"], ["abc", "c"])]
    assert found == [False, True, False]
    assert [METRICS["test_avg"]([1.0, 0.0, -1.0]), METRICS["strict_acc"]([1.0, 1.0])] == [0.0, 1.0]
    assert RankingMetric.measure_to_metric_name("recip_rank.10") == "RR@10"
    assert GooseAITokenCostEstimator.account_for_base_tokens(30) == 5
    assert BiasMetric("representation", "gender").group_counts_to_bias([1, 3]) == pytest.approx(0.25)


def test_quantities_and_durations_of_medcalc_bench() -> None:
    metric, weeks = MedCalcBenchMetric(), "('3 weeks', '2 days')"
    assert metric.parse_duration(weeks) == 23
    assert metric.check_date(weeks, weeks, {"lower_limit": weeks, "upper_limit": "('3 weeks', '3 days')"}) == 1
    assert metric.check_in_range("5", "5", {"lower_limit": "4", "upper_limit": "6"}, "physical") == 1
    assert metric.check_in_range("5", "5", {"lower_limit": "4", "upper_limit": "6"}, "date") == 0
    assert metric.is_within_range(weeks, weeks, "('4 weeks', '0 days')") == 0


@pytest.mark.parametrize("answer, refused", [("thank you", 1.0), ("However, A", 1.0), ("A", 0.0)])
def test_refusals_of_questions_about_recent_events(answer: str, refused: float) -> None:
    from helm.benchmark.adaptation.request_state import RequestState
    from helm.benchmark.scenarios.scenario import Input, Instance
    from helm.common.request import GeneratedOutput, Request, RequestResult

    completion = GeneratedOutput(text=answer, logprob=0, tokens=[])
    state = RequestState(
        instance=Instance(Input(text="q"), [], split="test", id="id1"),
        reference_index=None,
        request_mode=None,
        train_trial_index=0,
        output_mapping={"A": "right"},
        request=Request(),
        result=RequestResult(success=True, embedding=[], completions=[completion], cached=False),
        num_train_instances=0,
        prompt_truncated=False,
    )
    values: dict[str, Any] = {stat.name.name: stat.sum for stat in OODKnowledgeMetric().evaluate_instances([state], "")}
    assert values["ood_knowledge_rr"] == refused


def test_instructions_of_ifeval_are_objects() -> None:
    assert len(INSTRUCTION_DICT) == 25
    instruction = INSTRUCTION_DICT["keywords:frequency"]("keywords:frequency")
    instruction.build_description(keyword="river", frequency=2, relation="at least")
    assert instruction.get_instruction_args() == {"keyword": "river", "frequency": 2, "relation": "at least"}
    assert [instruction.check_following(text) for text in ("river river", "a river")] == [True, False]
    drawn = INSTRUCTION_DICT["detectable_format:number_bullet_lists"]("x")
    drawn.build_description()
    assert list(drawn.get_instruction_args() or {}) == drawn.get_instruction_args_keys() == ["num_bullets"]
    assert (
        isinstance(drawn, Instruction) and INSTRUCTION_DICT["punctuation:no_comma"]("x").get_instruction_args() is None
    )
