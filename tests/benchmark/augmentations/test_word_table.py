"""The look-up of words finds what the regular expression would find."""

import random
import re
import sys

import pytest

from helm.benchmark.augmentations.word_table import WordTable, fold

WORDS = "the a is going i am no one can't have x-ray to lot up countries he would do not kiss this KISS The".split()
SIGNS = [" ", " ", " ", "  ", ", ", ".", "-", "'", "\n", "\u2019", " - "]
TABLES = {
    "words": [
        "the",
        "going to",
        "going",
        "a",
        "x-ray",
        "no one",
        "no",
        "to the",
        "i am",
        "i",
        "can't",
        "a lot",
        "kiss",
    ],
    "order": ["can't", "can't've", "he would have", "he", "he would", "the the", "the", "do not", "up"],
    "sign at the end": ["countries'", "countries", "lot"],
    "sign in front": ["'t", "the"],
    "beyond ASCII": ["caf\u00e9", "the"],
    "none": [],
}


def texts(seed):
    draw = random.Random(seed)
    for _ in range(300):
        words = [draw.choice([*WORDS, "caf\u00e9", "\u017f", "\u0130s", "can't've", "countries'"]) for _ in range(12)]
        yield "".join(word + draw.choice(SIGNS) for word in words)[draw.randint(0, 3) :]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "borders",
    [
        {},
        {"ignore_case": True},
        {"after": r"\b ", "ignore_case": True},
        {"word_characters": r"\w-", "before": r"[^\w-]", "after": r"[^\w-]", "ignore_case": True},
    ],
    ids=["whole words", "whatever case", "space after", "neighbours"],
)
def test_same_as_the_regular_expression(name, borders):
    words = TABLES[name]
    table = WordTable(words, **borders, escape=True)
    flags = re.IGNORECASE if borders.get("ignore_case") else 0
    alternatives = "|".join(map(re.escape, words)) or r"(?!)"
    before, after = borders.get("before", r"\b"), borders.get("after", r"\b")
    pattern = re.compile(f"{before}({alternatives}){after}", flags)
    num_found = 0
    for text in texts(name):
        expected, found = [], []

        def by_pattern(match, expected=expected):
            expected.append(match[1])
            return match[0].replace(match[1], f"<{len(expected)}>")

        def by_table(word, found=found):
            found.append(word)
            return f"<{len(found)}>"

        assert (table.substitute(text, by_table), found) == (pattern.sub(by_pattern, text), expected), text
        num_found += len(found)
    assert num_found or not words


def test_words_that_are_expressions_keep_their_meaning():
    table = WordTable(["colou?r", "a.b"])
    assert table.substitute("color colour axb", lambda word: word.upper()) == "COLOR COLOUR AXB"


def test_folding_is_what_ignoring_case_does_to_ascii_letters():
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    matched = set(re.findall("[a-z]", "".join(characters), re.IGNORECASE))
    letters = set("abcdefghijklmnopqrstuvwxyz")
    assert {character for character in characters if fold(character) in letters} == matched
    for character in matched:
        assert re.fullmatch(fold(character), character, re.IGNORECASE)
