"""The scorers of the benchmarks that model cards report, against what the published programs say."""

from typing import Any

import pytest

from helm.benchmark.annotation.verdict_annotator import (
    parse_pairwise,
    parse_strong_reject,
    parse_three_verdicts,
    parse_yes_no_lines,
)
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.frontier.evalplus import run_calls
from helm.benchmark.metrics.frontier.grids import last_json_object, parse_grid, score_puzzle
from helm.benchmark.metrics.frontier.judgements import (
    clipped_mean,
    count_verdicts,
    game_scores,
    official_calibration_error,
    rubric_score,
    strong_reject_scores,
)
from helm.benchmark.metrics.frontier.letters import RULES, find_letter
from helm.benchmark.metrics.frontier.livecodebench import ProblemTests, find_code, is_same_output, read_tests, run_tests
from helm.benchmark.metrics.frontier.pictures import (
    anls,
    contains_answer,
    find_choice,
    find_open_answers,
    is_open_match,
    relaxed_match,
    soft_relaxed_match,
)
from helm.benchmark.metrics.frontier.short_answers import (
    find_nodes,
    harmonic_mean,
    is_bbeh_match,
    matches_gold,
    score_emotions,
    set_f1,
)
from helm.benchmark.metrics.openai_mrcr_metrics import OpenAIMRCRMetric
from helm.benchmark.scenarios.frontier_rows import decrypt
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.common.errors import MetricError, ScenarioError
from vectors_support import vector_cases


def cases(name, **wanted):
    found = [case for case in vector_cases(f"frontier/{name}.json") if wanted.items() <= case.items()]
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


@cases("letters")
def test_vector_letters(case):
    assert {rule: find_letter(rule, case["text"]) for rule in RULES} == {rule: case[rule] for rule in RULES}


@cases("bbeh", kind="match")
def test_vector_bbeh_match(case):
    assert is_bbeh_match(case["response"], case["reference"]) is case["correct"]


@cases("bbeh", kind="harmonic")
def test_vector_bbeh_harmonic_mean(case):
    assert harmonic_mean(case["task_accuracies"]) == pytest.approx(case["value"], rel=1e-12)


@cases("graphwalks")
def test_vector_graphwalks(case):
    strict, flexible = find_nodes(case["response"]), find_nodes(case["response"], anywhere=True)
    assert set_f1(strict, case["answer_nodes"]) == pytest.approx(case["f1"], rel=1e-12)
    assert set_f1(flexible, case["answer_nodes"]) == pytest.approx(case["flexible_f1"], rel=1e-12)


@cases("nolima")
def test_vector_nolima(case):
    assert matches_gold(case["metric"], case["response"], case["gold"]) == bool(case["score"])


@cases("eq_bench")
def test_vector_eq_bench(case):
    score = score_emotions(case["response"], case["reference"])
    assert 100.0 * (score is not None) == case["percent_parseable"]
    assert (score or 0.0) == pytest.approx(case["eqbench"], rel=1e-12)


@cases("arc_agi", kind="parse")
def test_vector_arc_grid(case):
    assert parse_grid(case["text"]) == case["grid"]


@cases("zebralogic", kind="puzzle")
def test_vector_zebralogic(case):
    score = score_puzzle(case["output"], case["solution"])
    got = {"parsed": score.is_parsed, "correct_cells": score.num_correct, "total_cells": score.num_cells}
    if "error" in case:  # the original stops; here the cell is wrong
        assert score.is_parsed and not score.is_solved
        return
    assert {**got, "solved": score.is_solved} == {key: case[key] for key in (*got, "solved")}


@cases("zebralogic", kind="last_json")
def test_vector_last_json(case):
    assert last_json_object(case["text"]) == case["value"]


@cases("hle_calibration")
def test_vector_calibration(case):
    got = official_calibration_error(case["confidence"], case["correct"], case["bin_size"])
    assert got == pytest.approx(case["value"], rel=1e-9)


@cases("simpleqa", kind="aggregate")
def test_vector_three_verdicts(case):
    verdicts = count_verdicts(case["letters"])
    for name in ("is_correct", "is_incorrect", "is_not_attempted", "is_given_attempted", "accuracy_given_attempted"):
        assert getattr(verdicts, name) == pytest.approx(case[name])
    assert f"{verdicts.f1:.3f}" == case["f1_printed_3_decimals"]


@cases("healthbench", kind="example")
def test_vector_rubric(case):
    score = rubric_score(case["points"], case["criteria_met"])
    assert score == (None if case["score"] is None else pytest.approx(case["score"], rel=1e-12))


@cases("healthbench", kind="overall")
def test_vector_clipped_mean(case):
    assert clipped_mean(case["values"]) == pytest.approx(case["mean"], rel=1e-12)


@cases("strong_reject")
def test_vector_strong_reject_scores(case):
    if case["scores"]:
        assert strong_reject_scores(**case["scores"]) == (case["paper_score"], case["inspect_score"])


@cases("simpleqa", kind="verdict")
def test_vector_verdict_letter(case):
    assert parse_three_verdicts(case["judge"]) == case["letter"]


@cases("browsecomp", kind="verdict")
def test_vector_yes_no_lines(case):
    assert parse_yes_no_lines(case["judge"])["correct"] is (case["verdict"] == "yes")


def test_a_word_that_ends_like_the_verdict_is_not_the_verdict():
    assert parse_yes_no_lines("incorrect: yes\ncorrect: no\nconfidence: 70") == {"correct": False, "confidence": 70}
    assert parse_yes_no_lines("incorrect: yes") == {"correct": False, "confidence": 100}


@cases("browsecomp", kind="decrypt")
def test_vector_decrypt(case):
    assert decrypt(case["ciphertext"], case["password"]) == case["plain"]


def test_a_row_with_another_password_is_an_error():
    with pytest.raises(ScenarioError, match="not encrypted with the password"):
        decrypt("2DUGlWqblXQRvv1Qq9HTdUug1F3Pgebv0Ss=", "another")
    with pytest.raises(ScenarioError):
        decrypt("not base64!", "k")


@cases("strong_reject")
def test_vector_strong_reject_marks(case):
    assert parse_strong_reject(case["judge"]) == case["scores"]


@cases("mrcr", kind="grade")
def test_vector_mrcr(case):
    extra = {"random_string_to_prepend": case["random_string_to_prepend"]}
    references = [Reference(Output(case["answer"]), ["correct"])]
    instance = Instance(Input(text="repeat"), references, extra_data=extra)
    (got,) = OpenAIMRCRMetric().score_answer(case["prediction"], instance)
    assert got == ("openai_mrcr_accuracy", pytest.approx(case["score"], rel=1e-12))


@cases("pass_at_k", kind="pass_at_k")
def test_vector_pass_at_k(case):
    assert pass_at_k_estimator(case["n"], case["c"], case["k"]) == pytest.approx(case["value"], rel=1e-12)


@cases("pass_at_k", kind="aggregate")
def test_vector_pass_at_k_of_problems(case):
    for name, value in case["value"].items():
        k = int(name.removeprefix("pass@"))
        samples = [[all(x is True or x > 0 for x in one) for one in of] for of in case["results"].values()]
        got = sum(pass_at_k_estimator(len(passed), sum(passed), k) for passed in samples) / len(samples)
        assert got == pytest.approx(value, rel=1e-12)


@cases("livecodebench", kind="extract")
def test_vector_code_block(case):
    assert find_code(case["text"]) == case["code"]


@cases("livecodebench", kind="stdout")
def test_vector_same_output(case):
    assert is_same_output(case["printed"], case["expected"]) == (case["result"] == [True])


@pytest.mark.sandbox
@cases("livecodebench", kind="call")
def test_vector_calls(case):
    code = f"class Solution:\n    def f(self):\n        return {case['returns']}"
    with_argument = code.replace("(self)", "(self, unused)")
    tests = ProblemTests(["0"], [case["expected_json"]], "f")
    assert run_tests(with_argument, tests, timeout_s=5) == case["result"]


@pytest.mark.sandbox
@cases("livecodebench", kind="program")
def test_vector_programs(case):
    tests = ProblemTests(case["inputs"], case["outputs"], case["fn_name"])
    assert run_tests(case["code"], tests, case["timeout"]) == case["result"]


@pytest.mark.sandbox
def test_a_program_that_prints_what_the_harness_prints_does_not_pass():
    forged = 'import os\nos.write(1, b\'{"output": "7"}\\n"done"\\n\')\nos._exit(0)'
    assert run_tests(forged, ProblemTests([""], ["7"], None), 5) == [-2]
    assert run_tests("import os\nos.kill(os.getppid(), 9)", ProblemTests([""], ["7"], None), 5) == [-4]


def test_private_tests_of_livecodebench_are_texts_that_nothing_is_run_for():
    import base64
    import pickle
    import zlib

    def row(private):
        packed = base64.b64encode(zlib.compress(pickle.dumps(private))).decode()
        return {
            "question_id": "q",
            "public_test_cases": "[]",
            "private_test_cases": packed,
            "metadata": '{"func_name": "f"}',
        }

    tests = '[{"input": "1", "output": "2", "testtype": "functional"}]'
    assert read_tests(row(tests)) == ProblemTests(["1"], ["2"], "f")
    plain = {**row(tests), "private_test_cases": tests}
    assert read_tests(plain) == ProblemTests(["1"], ["2"], "f")
    with pytest.raises(MetricError, match="Problem q: its tests cannot be read"):
        read_tests(row(print))


@cases("chartqa")
def test_vector_chartqa(case):
    assert relaxed_match(case["prediction"], case["target"]) is case["relaxed_original"]
    assert float(soft_relaxed_match(case["prediction"], case["target"])) == case["relaxed_lm_eval"]


@cases("docvqa")
def test_vector_docvqa(case):
    assert anls(case["prediction"], case["answers"], case["threshold"]) == pytest.approx(case["anls"], rel=1e-12)


@cases("ocrbench")
def test_vector_ocrbench(case):
    assert contains_answer(case["dataset"], case["prediction"], case["answer"]) == bool(case["score"])


@cases("mmmu", kind="mcq")
def test_vector_mmmu_choice(case):
    assert (find_choice(case["response"], case["options"]) or "random") == case["parsed"]


@cases("mmmu", kind="open")
def test_vector_mmmu_open(case):
    assert sorted(map(str, find_open_answers(case["response"]))) == sorted(case["parsed"])
    assert is_open_match(case["response"], case["gold"]) is case["correct"]


@cases("arena_hard", kind="verdict")
def test_vector_pairwise_verdict(case):
    assert parse_pairwise(case["judgment"]) == case["label"]


@cases("arena_hard", kind="games")
def test_vector_two_games(case):
    scores = game_scores(case["first_game_model_is_B"], case["second_game_model_is_A"])
    assert sorted(scores) == sorted(case["scores"]) and sum(scores) / len(scores) == pytest.approx(case["mean"])


@pytest.mark.sandbox
@cases("evalplus")
def test_vector_evalplus(case):
    values = {name: case[name] for name in ("dataset", "entry_point", "code", "inputs", "expected", "atol")}
    outcome = run_calls(**values, stop_at_failure=case["fast_check"])
    if case["entry_point"] == "find_zero":  # the published program forgets to mark the input as done
        return
    assert ("pass" if outcome.passed else "fail", outcome.details) == (case["status"], case["details"])


@pytest.mark.sandbox
def test_a_zero_of_a_polynomial_is_right_whichever_it_is():
    code = "def find_zero(xs):\n    return -2.0"
    given: dict[str, Any] = {"inputs": [[[-4, 0, 1]]], "expected": [2.0]}
    assert run_calls("humaneval", "find_zero", code, **given).details == [True]
    assert run_calls("humaneval", "find_zero", code.replace("-2.0", "1.0"), **given).details == [False]
