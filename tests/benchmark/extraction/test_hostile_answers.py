"""Answers made to take long or to break something: a megabyte of what a pattern looks for, and deep nesting."""

import multiprocessing

import pytest

from helm.benchmark.extraction.choice import EXTRACTORS
from helm.benchmark.extraction.extractor import Question, create_extractor
from helm.benchmark.specs import ExtractorSpec
from helm.common.errors import ConfigError
from helm.common.formats.thinking import without_thinking
from helm.results.diagnosis import is_refusal

MEGABYTE = 1_000_000
PIECES = [
    "A", "The answer is ", "\\boxed{", '{"a":', '\\"', "```python\n", "**", "<think>", "</think>", "1,", "9", "1/", "(", " ",
    "\n", "A is correct ", "A and ", "def f(", "#### ", "\\text{", "answer to ", "答案", "if x:\n", "choice number 1 text ",
]  # fmt: skip
CHOICES = {letter: f"choice number {i} text" for i, letter in enumerate("ABCDEFGHIJ")}


def extract_all(name, length):
    args = {"regex": {"pattern": "answer is (.*)$"}, "code": {"as_body": True}}.get(name, {})
    extractor = create_extractor(ExtractorSpec(EXTRACTORS[name], args))
    for piece in PIECES:
        text = piece * (length // len(piece))
        found = extractor.extract(text, Question(CHOICES, "f"))
        assert found is None or len(found) <= len(text)
        without_thinking(text)
        is_refusal(text)


@pytest.mark.parametrize("length, seconds", [(MEGABYTE // 5, 60), pytest.param(MEGABYTE, 300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EXTRACTORS)
def test_a_megabyte_takes_linear_time(name, length, seconds):
    process = multiprocessing.get_context("spawn").Process(target=extract_all, args=(name, length))
    process.start()
    process.join(seconds)  # a pattern that is not linear takes much longer
    is_alive = process.is_alive()
    process.kill()
    assert not is_alive and process.exitcode == 0


@pytest.mark.parametrize("pattern", ["(a+)+b", "(?:x*y?)*", "(a|b+)*c", "((?:ab)+c*)+"])
def test_a_pattern_that_can_take_forever_is_refused(pattern):
    with pytest.raises(ConfigError, match="repeats a repetition"):
        create_extractor(ExtractorSpec(EXTRACTORS["regex"], {"pattern": pattern}))


@pytest.mark.parametrize("pattern", ["(a+)b+", "[ab]+", r"answer: (\w+)", "(?:ab){2,5}c*", "(?:a*+b)+"])
def test_other_patterns_are_taken(pattern):
    create_extractor(ExtractorSpec(EXTRACTORS["regex"], {"pattern": pattern}))


def test_what_is_no_pattern_or_no_extractor_is_an_error_with_its_name():
    with pytest.raises(ConfigError, match="not a regular expression"):
        create_extractor(ExtractorSpec(EXTRACTORS["regex"], {"pattern": "("}))
    with pytest.raises(ConfigError, match="extraction_pattern=PATTERN"):
        create_extractor(ExtractorSpec(EXTRACTORS["regex"]))
    with pytest.raises(ConfigError, match="no_such"):
        create_extractor(ExtractorSpec("no_such.Extractor"))
    with pytest.raises(ConfigError, match="no extractor"):
        create_extractor(ExtractorSpec("builtins.dict"))
    with pytest.raises(ConfigError, match="lacks"):
        create_extractor(ExtractorSpec(EXTRACTORS["letter"], {"form": "B"}))


def test_deep_json_and_broken_json_have_no_value():
    extractor = create_extractor(ExtractorSpec(EXTRACTORS["json"]))
    assert extractor.extract("[" * 100_000 + "]" * 100_000) is None
    assert extractor.extract('{"answer": ' + "[" * 100_000) is None
    assert extractor.extract('{"answer": 1} {"answer": NaN') == "1"


def test_surrogates_and_null_characters_pass():
    for name in ("letter", "number", "boxed", "code", "json", "last_line"):
        create_extractor(ExtractorSpec(EXTRACTORS[name])).extract("\ud800 answer: \x00 B \udfff", Question(CHOICES))
