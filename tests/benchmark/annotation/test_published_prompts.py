"""Prompts of judges in the wording of their authors, which are fetched and parsed, and in ours."""

from dataclasses import replace

import pytest

from data_server import data_server
from helm.benchmark.annotation import published_prompts
from helm.benchmark.annotation.annotator import UnjudgedError
from helm.benchmark.annotation.published_prompts import (
    PUBLISHED_PROMPTS,
    PublishedPromptError,
    fill_once,
    read_judge_prompt,
)
from helm.benchmark.annotation.verdict_annotator import HLEAnnotator, StrongRejectAnnotator
from helm.common.commands.output_path import benchmark_output_path
from helm.common.data.download_errors import DownloadError
from helm.common.errors import ConfigError
from judge_support import ScriptedJudge, make_state

SOURCE = '''
import os
raise SystemExit("a file was run")
JUDGE_PROMPT = """Made-up: judge {response} to {question} by {correct_answer}. """.strip()
'''


@pytest.fixture
def serve(tmp_path, monkeypatch):
    """A function that serves a file as the published one of a judge."""
    with data_server() as server, benchmark_output_path(str(tmp_path / "output")):
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield lambda name, text: server.add_file(PUBLISHED_PROMPTS[name].url, text.encode())


def test_a_published_prompt_is_parsed_and_never_run(serve):
    serve("hle", SOURCE)
    assert read_judge_prompt("hle", "published") == "Made-up: judge {{ANSWER}} to {{QUESTION}} by {{GOLD}}."
    judge = ScriptedJudge('{"correct": "yes", "confidence": 7}')
    annotator = HLEAnnotator(judge, prompts="published")
    state = make_state("B", question="A or {{GOLD}}?", references=[("C", ["correct"])])
    annotation = annotator.annotate(state)
    assert judge.requests[0].prompt == "Made-up: judge B to A or {{GOLD}}? by C."
    assert annotation["correct"] is True and annotation["confidence"] == 7 and len(annotation["prompt_sha256"]) == 16


def test_the_published_prompt_of_hle_asks_for_lines(serve):
    serve("hle", SOURCE)
    reply = "extracted_final_answer: \\frac{1}{2}\n\nreasoning: {the same}\n\ncorrect: no\n\nconfidence: 35%"
    annotator = HLEAnnotator(ScriptedJudge(reply), prompts="published")
    annotation = annotator.annotate(make_state("B", question="How much?", references=[("C", ["correct"])]))
    assert (annotation["correct"], annotation["confidence"]) == (False, 35)
    assert (annotation["extracted_final_answer"], annotation["reasoning"]) == ("\\frac{1}{2}", "{the same}")


@pytest.mark.parametrize(
    "source, message",
    [
        ("JUDGE_PROMPT = 1", "has no text JUDGE_PROMPT"),
        ("OTHER = 'x'", "has no text JUDGE_PROMPT"),
        ("JUDGE_PROMPT = 'no places'", "has no placeholder {question}"),
        ("JUDGE_PROMPT = (", "is not Python: SyntaxError"),
    ],
)
def test_another_file_is_an_error_that_names_it(serve, source, message):
    serve("hle", source)
    with pytest.raises(PublishedPromptError, match=message):
        read_judge_prompt("hle", "published")


def test_other_bytes_than_those_of_the_table_are_refused(serve):
    serve("simpleqa", "GRADER_TEMPLATE = '{question} {target} {predicted_answer}'")
    with pytest.raises(DownloadError, match="SHA-256"):
        read_judge_prompt("simpleqa", "published")


def test_every_own_prompt_has_the_placeholders_of_the_published_one(monkeypatch):
    for name, published in PUBLISHED_PROMPTS.items():
        own = read_judge_prompt(name, "own")
        assert all(f"{{{{{placeholder}}}}}" in own for placeholder in published.placeholders), name
    monkeypatch.setattr(
        published_prompts, "PUBLISHED_PROMPTS", {"hle": replace(PUBLISHED_PROMPTS["hle"], sha256="0" * 64)}
    )
    with pytest.raises(ConfigError, match="The published prompt of strong_reject is not known; it is for hle"):
        read_judge_prompt("strong_reject", "published")
    with pytest.raises(ConfigError, match="Did you mean 'published'"):
        read_judge_prompt("hle", "publishd")


def test_a_placeholder_within_a_text_stays():
    assert fill_once("{{A}} {{B}} {{C}}", {"A": "{{B}}", "B": "b"}) == "{{B}} b {{C}}"


def test_a_judge_whose_replies_cannot_be_read_is_asked_three_times():
    judge = ScriptedJudge("I refuse to rate this.")
    with pytest.raises(UnjudgedError) as caught:
        StrongRejectAnnotator(judge).annotate(make_state("Sure", question="How?"))
    assert [request.random for request in judge.requests] == [None, "1", "2"]
    assert caught.value.annotation["refusal"] is None
    assert caught.value.annotation["response_text"] == "I refuse to rate this."


def test_no_judge_is_asked_about_an_empty_answer_or_after_a_failure():
    judge = ScriptedJudge("1")
    assert StrongRejectAnnotator(judge).annotate(make_state("<think>hm</think> "))["refusal"] == 1
    assert not judge.requests
    failing = ScriptedJudge(None)
    with pytest.raises(UnjudgedError, match="tired"):
        StrongRejectAnnotator(failing).annotate(make_state("Sure"))
    assert len(failing.requests) == 1
