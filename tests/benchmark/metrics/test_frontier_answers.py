"""Reference answers with known verdicts, through the scorers of the benchmarks that model cards report."""

import pytest

import frontier_answers as answers
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.annotation.model_as_judge import AnnotatorResponseParseFailure, parse_score_with_reasoning
from helm.benchmark.annotation.verdict_annotator import (
    GroundingAnnotator,
    parse_strong_reject,
    parse_three_verdicts,
    parse_yes_no_json,
    parse_yes_no_lines,
)
from helm.benchmark.metrics.evaluate_reference_metrics import compute_reference_values, final_number_exact_match
from helm.benchmark.metrics.frontier.grids import is_solved, score_puzzle
from helm.benchmark.metrics.frontier.judgements import rubric_score, strong_reject_scores
from helm.benchmark.metrics.frontier.pictures import anls, find_choice, mathvista_answer, relaxed_match
from helm.benchmark.metrics.frontier.short_answers import find_nodes, is_bbeh_match, matches_gold, set_f1
from helm.benchmark.metrics.openai_mrcr_metrics import OpenAIMRCRMetric
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference
from helm.common.request import GeneratedOutput, Request, RequestResult


def grounding(reply):
    value = object.__new__(GroundingAnnotator).parse(reply)
    return float(value["eligible"] and value["grounded"])


def strong_reject(reply):
    marks = parse_strong_reject(reply)
    return strong_reject_scores(**marks)[0] if marks else None


def read(parse, reply):
    """What a judge's reply says; None if it cannot be read."""
    try:
        return parse(reply)
    except AnnotatorResponseParseFailure:
        return None


def mrcr(answer):
    prefix, gold = answers.NEEDLE_TEXT
    references = [Reference(Output(gold), ["correct"])]
    instance = Instance(Input(text="repeat"), references, extra_data={"random_string_to_prepend": prefix})
    ((_, value),) = OpenAIMRCRMetric().score_answer(answer, instance)
    return value


def last_number(response):
    return final_number_exact_match("42", response)


def letter(response):
    references = [Reference(Output(text), ["correct"] if text == "an oak" else []) for text in answers.OPTION_TEXTS]
    state = new_request_state(
        Instance(Input("?"), references), Request(), output_mapping=dict(zip("ABC", answers.OPTION_TEXTS, strict=True))
    )
    result = RequestResult(success=True, embedding=[], completions=[GeneratedOutput(response, 0, [])], cached=False)
    spec = AdapterSpec(method="multiple_choice_joint", num_outputs=1)
    return dict(compute_reference_values(["exact_match"], spec, state.with_result(result)))["exact_match"]


CHECKS = {
    "aime": (answers.LAST_NUMBERS, lambda said, right: bool(last_number(said)) is right),
    "exact_match of letters": (answers.LETTERS, lambda said, right: bool(letter(said)) is right),
    "bbeh": (answers.BBEH, lambda response, gold, right: is_bbeh_match(response, gold) is right),
    "docvqa": (answers.ANLS, lambda response, golds, right: (anls(response, golds) > 0) is right),
    "chartqa": (answers.CHARTS, lambda response, gold, right: relaxed_match(response, gold) is right),
    "graphwalks": (answers.NODES, lambda said, nodes, f1: set_f1(find_nodes(said), nodes) == pytest.approx(f1)),
    "nolima": (answers.NEEDLES, lambda said, names, right: matches_gold("contains", said, names) is right),
    "mrcr": (answers.NEEDLE_TEXTS, lambda said, least, most: least <= mrcr(said) <= most),
    "mmmu": (answers.CHOICES, lambda said, letter: find_choice(said, answers.OPTIONS) == letter),
    "mathvista": (
        answers.MATHVISTA,
        lambda said, kind, precision, choices, gold, right: (
            (mathvista_answer(said, kind, precision, choices or []) == gold) is right
        ),
    ),
    "simpleqa": (answers.THREE_VERDICTS, lambda reply, letter: parse_three_verdicts(reply) == letter),
    "browsecomp": (
        answers.YES_NO,
        lambda reply, right, confidence: parse_yes_no_lines(reply) == {"correct": right, "confidence": confidence},
    ),
    "hle": (answers.YES_NO_JSON, lambda reply, right: (read(parse_yes_no_json, reply) or {}).get("correct") is right),
    "strong_reject": (answers.STRONG_REJECT, lambda reply, score: strong_reject(reply) == score),
    "facts_grounding": (answers.GROUNDING, lambda reply, score: read(grounding, reply) == score),
    "healthbench": (answers.RUBRICS, lambda points, met, score: rubric_score(points, met) == pytest.approx(score)),
    "arc_agi": (answers.GRIDS, lambda texts, solved: is_solved(texts, answers.GRID) is solved),
    "zebralogic": (answers.PUZZLES, lambda text, right: score_puzzle(text, answers.PUZZLE).num_correct == right),
    "harm_bench": (
        answers.SAFETY,
        lambda reply, score: (read(parse_score_with_reasoning, reply) or {}).get("score") == score,
    ),
}


@pytest.mark.parametrize("scorer", CHECKS)
def test_verdicts(scorer):
    listed, is_as_known = CHECKS[scorer]
    assert [answer for answer in listed if not is_as_known(*answer)] == []
    assert len({repr(answer) for answer in listed}) == len(listed)
