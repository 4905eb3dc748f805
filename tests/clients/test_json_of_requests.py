"""JSON that is sent, and keys of requests, are what the standard library makes of them, by quicker ways."""

import json
import math

import pytest

from helm.clients.http.http_client import encoded
from helm.common.caching.entry_texts import encode_value, request_to_key


@pytest.mark.parametrize(
    "body", [{"a": None}, {"a": "null"}, {"a": [{"b": None}], "c": "ü"}, {"a": "\ud800", "b": None}, {"a": 1.5, "b": (1, None)}]
)  # fmt: skip
def test_a_body_with_null_is_sent_as_it_is(body):
    assert json.loads(encoded(body)) == json.loads(json.dumps(body))


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_are_not_finite_do_not_become_null(number):
    for body in ({"a": number}, {"a": [None, {"b": (0, number)}]}):
        assert encoded(body) == json.dumps(body).encode()


def test_keys_are_sorted_at_every_level():
    request = {"b": [{"z": None, "a": {"y": 1.0, "x": math.inf}}], "a": "ü\ud800", "c": (1, True)}
    assert request_to_key(request) == json.dumps(request, sort_keys=True)
    assert encode_value(request) == json.dumps(request)
