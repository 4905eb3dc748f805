import json
import random

import pytest

from helm.common.evaluate_request import Timing
from helm.gradbench.protocol import (
    DefineMessage,
    EvaluateMessage,
    EvaluateResponse,
    Outcome,
    ProtocolError,
    StartMessage,
    check_response,
    encode_message,
    group_timings,
    parse_message,
    parse_response,
)

EVALUATE = parse_message(b'{"id": 1, "kind": "evaluate", "module": "m", "function": "f"}')


def evaluate_with(raw_input):
    return b'{"id": 1, "kind": "evaluate", "module": "m", "function": "f", "input": ' + raw_input + b"}"


def response_with(raw_timings):
    return b'{"id": 1, "success": true, "output": 1, "timings": ' + raw_timings + b"}"


def test_inputs_stay_the_bytes_they_came_as():
    message = parse_message(evaluate_with(b'{"x": [1e3,  0.10]}'))
    assert message == EvaluateMessage(1, "m", "f", b'{"x": [1e3,  0.10]}', None)


@pytest.mark.parametrize(
    "number", [b"1E400", b"-1e+309", b"1" * 310, b"-" + b"9" * 400 + b".5", b"1" * 250 + b"e99", b"1.8e308"]
)
@pytest.mark.parametrize("count", [0, 5, 50_000])
def test_a_number_beyond_every_double_is_refused_wherever_it_hides(number, count):
    others = b"".join(b"%de-05, " % i for i in range(count))
    with pytest.raises(ProtocolError, match="out of range"):
        parse_message(evaluate_with(b"[" + others + number + b"]"))


@pytest.mark.parametrize(
    "text",
    [b"1e308", b"1" * 300, b"-1e-400", b'"1E400"', b'["' + b"1" * 500 + b'"]', b"12345678901234567890", b"1.7e+308"],
)
def test_numbers_within_range_and_texts_that_look_like_numbers_pass(text):
    assert parse_message(evaluate_with(text)).input == text


def test_a_long_list_of_positive_exponents_passes():
    text = b"[" + b", ".join(b"%d.5e+22" % i for i in range(20_000)) + b"]"
    assert parse_message(evaluate_with(text)).input == text


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 9223372036854775808, "kind": "start"}',
        b'{"id": -9223372036854775809, "kind": "start"}',
        b"",
        b"[]",
        b"5",
    ],
)
def test_what_is_no_message_is_refused(line):
    with pytest.raises(ProtocolError):
        parse_message(line)


def test_repeated_unknown_fields_are_ignored_like_all_unknown_fields():
    assert parse_message(b'{"id": 0, "x": 1, "x": 2, "kind": "start"}') == StartMessage(0, None, None)


def test_timings_reach_128_bits():
    largest = 2**128 - 1
    response = parse_response(response_with(b'[{"name": "evaluate", "nanoseconds": %d}]' % largest), EVALUATE)
    assert response.timings == [Timing("evaluate", largest)]


@pytest.mark.parametrize(
    "timings",
    [
        b'[{"name": "a", "nanoseconds": 1, "nanoseconds": 2}]',
        b'[{"name": "a", "name": "b", "nanoseconds": 1}]',
        b'[{"name": "a"}]',
        b'[{"nanoseconds": 1}]',
        b'[{"name": "a", "nanoseconds": "1"}]',
        b'[{"name": "a", "nanoseconds": 1.0}]',
        b'{"name": "a", "nanoseconds": 1}',
    ],
)
def test_malformed_timings_are_refused(timings):
    with pytest.raises(ProtocolError):
        parse_response(response_with(timings), EVALUATE)


def test_a_timing_whose_name_is_the_word_name_is_no_repetition():
    response = parse_response(response_with(b'[{"name": "name", "nanoseconds": 1, "more": "nanoseconds"}]'), EVALUATE)
    assert response.timings == [Timing("name", 1)]


def test_timings_are_summed_by_name_in_order_of_appearance():
    groups = group_timings([Timing("b", 1), Timing("a", 2), Timing("b", 2)])
    assert [(group.name, group.count, group.total_ns, group.mean_ns) for group in groups] == [
        ("b", 2, 3, 1),
        ("a", 1, 2, 2),
    ]


def test_a_missing_output_and_a_null_output_are_different():
    with pytest.raises(ProtocolError, match="no output"):
        check_response(parse_response(b'{"id": 1, "success": true}', EVALUATE))
    check_response(EvaluateResponse(1, True, b"null", [], None))


@pytest.mark.parametrize("seed", range(30))
def test_what_is_written_is_read_back(seed):
    rng = random.Random(seed)
    value = [rng.gauss(0, 10 ** rng.randint(-300, 300)) for _ in range(5)]
    fields = {"module": "café\n", "function": "f", "input": value}
    line = encode_message(rng.randint(-(2**63), 2**63 - 1), "evaluate", **fields)
    assert json.loads(parse_message(line).input) == value
    assert line.endswith(b"}\n") and line.count(b"\n") == 1


def test_nan_is_never_written():
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_message(0, "evaluate", input=float("nan"))


def test_define_messages():
    assert parse_message(encode_message(3, "define", module="gmm")) == DefineMessage(3, "gmm")


def test_outcomes_are_numbered_as_everybody_knows_them():
    assert {outcome.value: outcome.exit_code for outcome in Outcome} == {
        "success": 0,
        "error": 1,
        "undefined": 2,
        "failure": 3,
        "invalid": 4,
        "timeout": 5,
        "interrupt": 6,
    }


def outcome_of(parse, *arguments):
    try:
        return parse(*arguments)
    except ProtocolError:
        return "error"


MESSAGES = [
    *('{"id": 1, "kind": "start", "eval": "gmm", "config": {"d": [2]}}', '{"id": 1, "kind": "start", "config": null}'),
    *('{"id": 1, "kind": "define", "module": "m"}', '{"id": 1, "kind": "define"}', '{"id": 1, "kind": "end"}'),
    '{"kind": "evaluate", "id": 1, "module": "m", "function": "f", "input": {"id": 2, "kind": [1e5]}}',
    '{"id": 1, "kind": "evaluate", "module": "m", "function": "f", "input": 1E400, "description": ""}',
    '{"id": 1, "kind": "evaluate", "module": "m", "function": "f", "input": ' + "1" * 400 + "}",
    '{"id": 1, "kind": "evaluate", "module": "m", "function": "f", "description": 5}',
    '{"id": 1, "kind": "evaluate", "module": "\\u006d", "function": "\u00e9", "other": [NaN]}',
    '{"id": 1, "id": 1, "kind": "define", "module": "m"}',
    '{"id": 1, "\\u0069d": 1, "kind": "define", "module": "m"}',
    *('{"id": 1.0, "kind": "define", "module": "m"}', '{"id": 9223372036854775808, "kind": "define", "module": "m"}'),
    '{"id": 1, "kind": "analysis", "of": 0, "valid": true, "error": null}',
    '{"id": 1, "kind": "analysis", "of": 9223372036854775808, "valid": true}',
    *('{"id": 1, "kind": "analysis", "of": 0}', '{"id": 1, "kind": "analysis"} {}', "", "[]"),
]


@pytest.mark.parametrize("text", MESSAGES)
def test_a_short_message_is_read_as_a_long_one(text):
    line = text.encode()
    assert outcome_of(parse_message, line) == outcome_of(parse_message, line + b" " * 5000)


RESPONSES = [
    *('{"id": 1}', '{"id": 1, "tool": "t", "config": null}', '{"id": 1, "tool": 5}', '{"success": true}'),
    *('{"id": 1, "success": true, "output": null}', '{"id": 1, "success": true}', '{"id": 1, "success": 1}'),
    '{"id": 1, "success": true, "output": [1.5], "timings": [{"name": "a", "nanoseconds": 5}], "error": null}',
    '{"id": 1, "success": true, "output": 1, "timings": [{"name": "a", "name": "a", "nanoseconds": 5}]}',
    '{"id": 1, "success": true, "output": 1, "timings": [{"name": "a", "nanoseconds": -5}]}',
    '{"id": 1, "success": true, "output": 1, "timings": [{"name": "name", "nanoseconds": 18446744073709551617}]}',
    '{"id": 1, "success": false, "output": {"error": 1}, "timings": null, "error": "boom", "status": 5}',
    '{"id": 1, "success": true, "output": 1e999}',
]


@pytest.mark.parametrize("text", RESPONSES)
@pytest.mark.parametrize("kind", ["start", "define", "evaluate", "analysis"])
def test_a_short_response_is_read_as_a_long_one(text, kind):
    fields = {"module": "m", "function": "f", "of": 0, "valid": True}
    message = parse_message(json.dumps({"id": 1, "kind": kind, **fields}).encode())
    line = text.encode()
    assert outcome_of(parse_response, line, message) == outcome_of(parse_response, line + b" " * 5000, message)
