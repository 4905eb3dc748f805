"""JSON that is sent and received is what the standard library makes of it, by quicker ways."""

import json
import math

import pytest

from helm.clients.http.http_client import _encoded
from helm.common.caching.entry_texts import encode_value, request_to_key
from helm.common.formats.json_reading import JSONLimitError, read_json

TEXTS = [
    b"-0", b"-0.0", b"1e400", b"-1e400", b"123456789012345678901234567890", b"1E5", b"1.0", b"1e-400", b'"\\ud800"',
    b'"\\ud83d\\ude00"', b'{"a": 1, "a": 2}', b' {"a": 1}\n', b"\xef\xbb\xbf{}", b"NaN", b"[-Infinity]", b"0.1",
    b"18446744073709551616", b"-9223372036854775809", b"12345678901234567890.5", b'"\xed\xa0\x80"', b'"\x7f"',
    b"4.9e-324", '["\u2028ü"]'.encode(), "{}".encode("utf-16"), b'{"": null, "b": [true, false]}',
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_read_is_what_the_standard_library_reads(text):
    expected = json.loads(text)
    assert (
        repr(read_json(text))
        == repr(expected)
        == repr(read_json(text.decode(json.detect_encoding(text), "surrogatepass")))
    )


@pytest.mark.parametrize("text", [b"", b"[1,]", b'"\x01"', b"01", b"1.", b'"a', b"[]x", b'"\xff"', b'{"a" 1}', b"nul"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ValueError) as expected:
        json.loads(text)
    with pytest.raises(ValueError) as found:
        read_json(text)
    assert str(found.value) == str(expected.value)


def test_deep_text_is_refused_whoever_reads_it():
    for text in (b"[" * 100_000 + b"]" * 100_000, b"[NaN," * 300 + b"0" + b"]" * 300):
        with pytest.raises(JSONLimitError, match="nested"):
            read_json(text)


@pytest.mark.parametrize(
    "body", [{"a": None}, {"a": "null"}, {"a": [{"b": None}], "c": "ü"}, {"a": "\ud800", "b": None}, {"a": 1.5, "b": (1, None)}]
)  # fmt: skip
def test_a_body_with_null_is_sent_as_it_is(body):
    assert json.loads(_encoded(body)) == json.loads(json.dumps(body))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_are_not_finite_do_not_become_null(number):
    for body in ({"a": number}, {"a": [None, {"b": (0, number)}]}):
        assert _encoded(body) == json.dumps(body).encode()


def test_keys_are_sorted_at_every_level():
    request = {"b": [{"z": None, "a": {"y": 1.0, "x": math.inf}}], "a": "ü\ud800", "c": (1, True)}
    assert request_to_key(request) == json.dumps(request, sort_keys=True)
    assert encode_value(request) == json.dumps(request)
