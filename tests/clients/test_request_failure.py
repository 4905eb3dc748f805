"""What a status and a text mean: one table for each of the decisions about a failed request."""

import json
import time
from email.utils import formatdate

import pytest

from helm.clients.http.request_failure import (
    RequestFailure,
    failure_from_response,
    retry_after_s,
    said_by,
    shortened,
)
from helm.common.request import AUTH, FILTERED, MALFORMED, RATE_LIMITED, REFUSED, SERVER, TIMED_OUT

URL = "http://host/v1"


def failed(status, body=b"", headers=None, secret=""):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return failure_from_response(URL, status, headers or {}, data, secret)


def error(code, message="no"):
    return {"error": {"code": code, "message": message}}


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, MALFORMED),
        (299, MALFORMED),
        (300, REFUSED),
        (302, REFUSED),
        (400, REFUSED),
        (401, AUTH),
        (402, AUTH),
        (403, AUTH),
        (404, REFUSED),
        (406, REFUSED),
        (407, AUTH),
        (408, TIMED_OUT),
        (409, SERVER),
        (410, REFUSED),
        (425, SERVER),
        (426, REFUSED),
        (429, RATE_LIMITED),
        (430, REFUSED),
        (499, REFUSED),
        (500, SERVER),
        (501, SERVER),
        (503, SERVER),
        (504, TIMED_OUT),
        (505, SERVER),
        (524, TIMED_OUT),
        (525, SERVER),
    ],
)
def test_a_status_alone(status, outcome):
    failure = failed(status)
    assert (failure.outcome, failure.status, failure.message) == (outcome, status, f"{URL}: HTTP status {status}.")
    assert failure.is_retriable == (outcome in (RATE_LIMITED, TIMED_OUT, MALFORMED, SERVER))
    assert failure.stops_endpoint == (status in (401, 402, 407))
    result = failure.as_result()
    assert (result.success, result.cached, result.completions, result.embedding) == (False, False, [], [])
    assert (result.outcome, result.error) == (outcome, failure.message)
    assert (result.error_flags.is_retriable, result.error_flags.is_fatal) == (failure.is_retriable, True)


@pytest.mark.parametrize(
    ("status", "body", "outcome", "stops"),
    [
        (400, error("content_filter"), FILTERED, False),
        (400, error("x", "Blocked by our content management policy"), FILTERED, False),
        (499, error("content_filter"), FILTERED, False),
        (500, error("content_filter"), SERVER, False),
        (429, error("insufficient_quota"), AUTH, True),
        (429, error("x", "Your credit balance is too low"), AUTH, True),
        (429, error("RESOURCE_EXHAUSTED", "You exceeded your current quota"), RATE_LIMITED, False),
        (400, error("x", "API key not valid. Please pass"), AUTH, True),
        (400, error("invalid_api_key"), AUTH, True),
        (403, error("x"), AUTH, False),
        (403, error("x", "Incorrect API key provided"), AUTH, True),
        (404, error("x", "API key not valid"), REFUSED, False),
        (200, error("overloaded_error"), SERVER, False),
        (200, error("rate_limit_exceeded"), RATE_LIMITED, False),
        (200, error(429), RATE_LIMITED, False),
        (200, error("400"), REFUSED, False),
        (200, error("599"), SERVER, False),
        (200, error("399"), MALFORMED, False),
        (200, error("600"), MALFORMED, False),
        (200, error("something"), MALFORMED, False),
        (200, {"error": {"code": 503, "type": "x", "message": "m"}}, MALFORMED, False),
        (200, {"type": "timeout", "message": "m"}, TIMED_OUT, False),
    ],
)
def test_what_a_code_or_a_text_says(status, body, outcome, stops):
    failure = failed(status, body)
    assert (failure.outcome, failure.stops_endpoint) == (outcome, stops)
    assert failure.as_result().error_flags.is_fatal == (outcome != FILTERED)


def test_the_type_of_an_error_in_a_header():
    assert failed(200, {"message": "m"}, {"x-amzn-errortype": "ThrottlingException"}).outcome == RATE_LIMITED
    assert failed(200, b"plain", {"x-amzn-errortype": "ThrottlingException"}).outcome == RATE_LIMITED
    assert failed(200, b"3", {"x-amzn-errortype": "ThrottlingException"}).outcome == RATE_LIMITED


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (error("c", "the text"), "the text"),
        ({"error": {"description": "the text"}}, "the text"),
        ({"error": "the text"}, "the text"),
        ({"error": {"code": "c"}, "message": "the text"}, "the text"),
        ({"errors": [{"message": "the text"}, {"message": "another"}]}, "the text"),
        ({"errors": [], "detail": "the text"}, "the text"),
        ({"errors": {"message": "another"}, "detail": "the text"}, "the text"),
        ([error("c", "the text"), error("c", "another")], "the text"),
        ({"error": "invalid", "error_description": "the text"}, "invalid: the text"),
        ({"error": "", "message": "", "errorMessage": "the text"}, "the text"),
        ([], "[]"),
        (["the text"], '["the text"]'),
        ({"other": 1}, '{"other": 1}'),
        (b"not JSON", "not JSON"),
        (b"<html><title>The Title</title><body>long</body></html>", "The Title"),
        (b"\xff", "\ufffd"),
    ],
)
def test_where_servers_put_the_text(body, text):
    assert text in said_by(body if isinstance(body, bytes) else json.dumps(body).encode()).text
    assert said_by(json.dumps(error("c", "the text")).encode()).text == "the text"


def test_an_inner_error_has_a_code_too():
    body = {"error": {"code": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}, "message": "m"}}
    assert failed(400, body).outcome == FILTERED
    assert failed(400, {"error": {"code": "x", "innererror": "none", "message": "m"}}).outcome == REFUSED


@pytest.mark.parametrize(
    ("details", "seconds"),
    [
        ([{"retryDelay": "37s"}], 37),
        ([{"retryDelay": "1.5s"}], 1.5),
        ([{"retryDelay": "-3s"}], 0),
        (["text", {"other": 1}, {"retryDelay": "soon"}, {"retryDelay": 5}, {"retryDelay": "2s"}], 2),
        ({"retryDelay": "37s"}, None),
        ([], None),
    ],
)
def test_the_pause_that_google_asks_for(details, seconds):
    body = {"error": {"code": 429, "message": "m", "details": details}}
    assert failed(429, body).retry_after_s == seconds
    assert failed(429, body, {"Retry-After": "9"}).retry_after_s == (9 if seconds is None else seconds)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3),
        ({"Retry-After": "0"}, 0),
        ({"Retry-After": "-3"}, 0),
        ({"Retry-After": "", "retry-after-ms": ""}, None),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "Retry-After": "9"}, 1.5),
        ({"retry-after-ms": "", "Retry-After": "9"}, 9),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": formatdate(time.time() - 3600)}, 0),
    ],
)
def test_the_pause_that_headers_ask_for(headers, seconds):
    assert retry_after_s(headers) == seconds


def test_a_pause_until_a_date():
    assert 3000 < retry_after_s({"Retry-After": formatdate(time.time() + 3600)}) <= 3600


def test_another_address_is_told_and_no_key_is():
    for status, is_told in ((299, False), (300, True), (308, True), (399, True), (400, False)):
        message = failed(status, b"said KEY", {"Location": "http://other/KEY"}, secret="KEY").message
        assert "KEY" not in message and "said ***" in message
        assert ("The address may be http://other/***." in message) == is_told
    assert failed(302).message == f"{URL}: HTTP status 302."


def test_texts_are_quoted_on_one_line_and_not_long():
    assert shortened(" a\n b\t c ") == "a b c"
    assert shortened("x" * 300) == "x" * 300
    assert shortened("x" * 301) == "x" * 300 + "..."
    assert shortened("my KEY", "KEY") == "my ***" and shortened("my KEY") == "my KEY"


@pytest.mark.parametrize(
    ("status", "text", "is_missing"),
    [
        (404, "nothing here", True),
        (404, "The Model is unknown", False),
        (405, "no model", True),
        (501, "no model", True),
        (404, "", True),
        (400, "nothing here", False),
        (406, "nothing here", False),
        (502, "nothing here", False),
        (None, "nothing here", False),
    ],
)
def test_a_route_that_is_missing(status, text, is_missing):
    failure = RequestFailure(REFUSED, f"http://model/v1: HTTP status {status}. {text}", status=status)
    assert failure.is_missing_route == is_missing


@pytest.mark.parametrize(
    ("outcome", "text", "is_about"),
    [
        (REFUSED, "Unsupported parameter: 'stop'", True),
        (REFUSED, "stop_sequences are not allowed", True),
        (REFUSED, "stopSequences: unknown field", True),
        (REFUSED, "'stop' is too long", False),
        (REFUSED, "'stopped' is not supported", False),
        (SERVER, "Unsupported parameter: 'stop'", False),
    ],
)
def test_what_is_about_stop_sequences(outcome, text, is_about):
    assert RequestFailure(outcome, f"http://stop.unknown/v1: HTTP status 400. {text}").is_about_stop == is_about


def test_what_a_failure_is_unless_it_is_said():
    failure = RequestFailure(REFUSED, "m")
    assert (failure.status, failure.retry_after_s, failure.is_retriable) == (None, None, False)
    assert not failure.stops_endpoint and not failure.is_unreachable
    assert RequestFailure(REFUSED, "m", is_retriable=True).is_retriable
    assert not RequestFailure(SERVER, "m", is_retriable=False).is_retriable
