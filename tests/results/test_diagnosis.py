"""What is wrong with answers, counted once each, and the one line that says what helps."""

from dataclasses import replace

import pytest

from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.benchmark.specs import ExtractorSpec
from helm.common.request import GeneratedOutput, Request, RequestResult, Thinking
from helm.common.request_options import RequestOptions
from helm.results.diagnosis import diagnose


def make_state(text, reason="stop", stops=(), thinking=None, success=True, mapping=None, extracted=None):
    completion = GeneratedOutput(text, 0, [], {"reason": reason}, thinking=thinking and Thinking(thinking))
    result = RequestResult(success, [], [completion] if success else [], False)
    request = Request(prompt="Q", stop_sequences=list(stops))
    return new_request_state(
        Instance(Input("Q"), []), request, result=result, output_mapping=mapping, extracted=extracted
    )


def spec_of(name, model="openai-compat/some-chat-model", extractor=None, max_tokens=None, **args):
    run_spec = get_run_spec_function(name)(**args)
    adapter_spec = replace(
        run_spec.adapter_spec, model=model, max_tokens=max_tokens or run_spec.adapter_spec.max_tokens
    )
    return replace(run_spec, adapter_spec=adapter_spec, extractor_spec=extractor)


MAPPING = {"A": "one", "B": "two"}


def test_each_answer_is_counted_once():
    states = [
        make_state("B", mapping=MAPPING),
        make_state("The answer is B", mapping=MAPPING),
        make_state("The answer", "length", mapping=MAPPING),
        make_state("I'm sorry, but I can't help with that.", mapping=MAPPING),
        make_state("", "content_filter", mapping=MAPPING),
        make_state(" ", mapping=MAPPING),
        make_state("", "length", thinking="Hm.", mapping=MAPPING),
        make_state("<think>\nHm.", "length", mapping=MAPPING),
        make_state("", success=False, mapping=MAPPING),
    ]
    counts = diagnose(spec_of("mmlu", subject="anatomy"), states)
    found = (counts.cut_at_max_tokens, counts.refused, counts.empty, counts.empty_after_thinking, counts.unparsable)
    assert counts.answers == 8 and found == (1, 2, 1, 2, 1) and counts.cut_at_stop == {}


def test_where_nothing_is_wrong_there_are_no_counts():
    assert diagnose(spec_of("mmlu", subject="anatomy"), [make_state("B", mapping=MAPPING)]) is None
    assert diagnose(spec_of("gsm"), [make_state("It is 4. The answer is 4.", stops=["\n\n"])]) is None
    assert diagnose(spec_of("gsm"), [make_state("4", stops=["\n\n"])]) is None


@pytest.mark.parametrize("model", ["simple/model1", "baseline/ppm", "meta/llama-2-7b"])
def test_models_that_continue_texts_are_not_diagnosed(model):
    register_builtin_configs_from_helm_package()
    assert diagnose(spec_of("mmlu", model, subject="anatomy"), [make_state("The answer", mapping=MAPPING)]) is None


@pytest.mark.parametrize(
    ("text", "stops", "expected"),
    [
        ("Let's break this down step by step:", ["\n\n"], {"\n\n": 1}),
        ("She sells 16 - 3 - 4 = 9 eggs a day.", ["\n\n"], {"\n\n": 1}),
        ("The answer is 18.", ["\n\n"], None),
        ("She sells 16 - 3 - 4 = 9 eggs a day.", [], None),
    ],
)
def test_a_cut_needs_a_stop_and_no_stated_number(text, stops, expected):
    counts = diagnose(spec_of("gsm"), [make_state(text, stops=stops)])
    assert (counts and counts.cut_at_stop) == expected


def test_a_cut_inside_a_code_block_is_seen():
    counts = diagnose(
        spec_of("code", dataset="humaneval"), [make_state("```python\nimport math", stops=["\nclass", "\ndef"])]
    )
    assert counts.cut_at_stop == {"\nclass": 1}


def warning(name, states, **args):
    counts = diagnose(spec_of(name, **args), states)
    return counts.warning


def test_a_preset_is_not_advised_where_there_is_one():
    options = RequestOptions(split_thinking=True)
    for name, state, words in (
        ("mmlu", make_state("B, because", mapping=MAPPING), "without the label of a choice; try extraction=letter"),
        ("gsm", make_state("Let's see:", stops=["\n\n"]), "try stop=none"),
    ):
        run_spec = spec_of(name, **({"subject": "anatomy"} if name == "mmlu" else {}))
        run_spec = replace(run_spec, adapter_spec=replace(run_spec.adapter_spec, request_options=options))
        assert words in diagnose(run_spec, [state]).warning


def test_the_line_is_about_the_most_frequent_problem_and_names_the_key():
    cut = make_state("Let's see:", stops=["\n\n"])
    long = make_state("First, we", "length")
    assert (
        warning("gsm", [cut] * 3 + [long])
        == "3 of 4 answers were cut at `\\n\\n` before they gave an answer; try prompt=chat"
    )
    assert (
        warning("gsm", [cut] + [long] * 3)
        == "3 of 4 answers were cut at max_tokens=400 before they gave an answer; try max_tokens=1600"
    )
    unmapped = make_state("B, because", mapping=MAPPING)
    assert (
        warning("mmlu", [unmapped], subject="anatomy")
        == "1 of 1 answers were without the label of a choice; try prompt=chat"
    )
    thought = make_state("", "length", thinking="Hm.")
    extractor = ExtractorSpec("helm.benchmark.extraction.number_extractor.NumberExtractor")
    assert (
        warning("gsm", [thought], extractor=extractor)
        == "1 of 1 answers were empty after thinking; try max_tokens=1600"
    )
    unread = make_state("No idea.", extracted=[None])
    assert "the extraction finds" in warning("gsm", [unread], extractor=extractor)


def test_few_of_them_are_counted_without_a_line():
    states = [make_state("The answer is 4.", stops=["\n\n"])] * 99 + [make_state("Hm:", stops=["\n\n"])]
    counts = diagnose(spec_of("gsm"), states)
    assert counts.cut_at_stop == {"\n\n": 1} and counts.warning is None
