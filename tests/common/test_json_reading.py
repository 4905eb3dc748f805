"""Reading untrusted JSON: the same values and errors as `json.loads`, whichever parser reads them."""

import json
import math
import random

import pytest

from helm.common.formats.json_reading import MAX_DEPTH, JSONLimitError, check_depth, parse_json, read_json

NUMBERS = "0 -0 -0.0 1.0 1E5 1e+5 5e-324 2e-324 1e-400 1e400 -1e400 1.7976931348623159e308 0.1 123456789.123456789e-30"
LARGE = "9223372036854775808 -9223372036854775809 18446744073709551616 123456789012345678901234567890"
TEXTS = [
    *NUMBERS.split(), *LARGE.split(), "NaN", "[Infinity, -Infinity]", '{"a":1,"b":3,"a":2}', '{"":{}}', " [1] ", "null",
    r'"\ud800"', r'"\ud83d\ude00"', r'"\ude00x"', r'"\uD83D\u0041"', r'"\u0000"', r'"\/"', '"\x7f\u2028"', "[[], {}]",
]  # fmt: skip
BROKEN = [
    "", "nul", "01", "1.", ".5", "1e", "-", "[1,]", '{"a":1,}', "[1]x", '"a\tb"', '"\x00"', r'"\x"', "\ufeff[1]", "'a'",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_values_are_those_of_json(text):
    assert repr(parse_json(text)) == repr(read_json(text.encode())) == repr(json.loads(text))


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_json_is_refused_with_the_words_of_json(text):
    with pytest.raises(ValueError) as expected:
        json.loads(text)
    with pytest.raises(ValueError) as found:
        read_json(text)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("data", ["[1, 2]".encode("utf-16"), b"\xef\xbb\xbf[1]", b'"\xed\xa0\x80"'])
def test_other_encodings(data):
    assert read_json(data) == json.loads(data)


def drawn(draw, depth=0):
    kind = draw.randrange(5 if depth > 3 else 7)
    if kind == 0:
        return draw.choice([None, True, False, math.inf, 0])
    if kind == 1:
        return draw.getrandbits(draw.randint(1, 90)) * draw.choice([1, -1])
    if kind == 2:
        return draw.choice([-1, 1]) * draw.random() * 10.0 ** draw.randint(-320, 300)
    if kind in (3, 4):
        return "".join(
            chr(draw.choice([34, 92, 10, 97, 0x7F, 0xE9, 0xD800, 0x1F600])) for _ in range(draw.randrange(4))
        )
    values = [drawn(draw, depth + 1) for _ in range(draw.randrange(4))]
    return values if kind == 5 else {f"{draw.choice('abé')}": value for value in values}


@pytest.mark.parametrize("seed", range(10))
def test_values_that_were_written_are_read(seed):
    draw = random.Random(seed)
    for _ in range(200):
        text = json.dumps(drawn(draw), ensure_ascii=draw.random() < 0.5)
        assert repr(parse_json(text)) == repr(json.loads(text))


def nested(depth, inner):
    return (
        "".join("[" if i % 2 else '{"a":' for i in range(depth))
        + inner
        + "".join("]" if i % 2 else "}" for i in reversed(range(depth)))
    )


@pytest.mark.parametrize("inner", ["1", '"]}"', "null"])
def test_depth(inner):
    for depth in (1, MAX_DEPTH - 1, MAX_DEPTH):
        text = f"[{nested(depth - 1, inner)}, {', '.join(['[1, null]'] * MAX_DEPTH)}]"
        assert read_json(text) == json.loads(text)
    for depth in (MAX_DEPTH + 1, 10 * MAX_DEPTH, 100_000):
        with pytest.raises(JSONLimitError, match="nested more than 200 levels"):
            read_json(nested(depth, inner))
    text = nested(20, inner)
    check_depth(json.loads(text), text, 20)
    with pytest.raises(JSONLimitError, match="more than 19 levels"):
        check_depth(json.loads(text), text, 19)


def test_numbers_and_texts_have_no_depth():
    for value in (1, None, "[" * 1000, math.inf):
        check_depth(value, "[" * 1000)
