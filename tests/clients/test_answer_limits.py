"""What a server may send: how much of it is read, how deep it may be nested, and what of it is repeated in messages."""

import gzip
import io
import json
import threading

import pytest
import urllib3

from conformance_faults import UPSTREAM_ERROR
from conformance_server import ConformanceServer, Response
from helm.clients.http.answer_errors import find_error
from helm.clients.pacing.limiter import Allowance
from helm.common.answer_limits import ANSWERS, AnswerRoom, AnswerTooLong, max_answer_bytes, mebibytes, read_body
from helm.common.budgets.spending_file import SpendingFile
from helm.common.cache import Cache, SqliteCacheConfig
from helm.common.concurrency import stoppable_by
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import MAX_DEPTH, read_json
from helm.common.key_value_store import CacheError, decode_value
from hosted_clients import CLIENTS, KEY, make, profile, request_for

OPENAI_COMPATIBLE = "openai_compatible_client.OpenAICompatibleClient openai"
MIB = 1 << 20
ANSWER = {"choices": [{"index": 0, "message": {"content": "B"}, "finish_reason": "stop"}]}
HALF_AN_ANSWER = {"choices": [{"message": {"content": "B"}, "finish_reason": "error", "error": UPSTREAM_ERROR}]}


class Scripted(ConformanceServer):
    """Answers with `script`, in turn; the last one for ever."""

    script = [Response(200, ANSWER)]

    def handle(self, handler, data):
        self.requests.append({"body": json.loads(data)})
        raise self.script.pop(0) if len(self.script) > 1 else self.script[0]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)
    server = Scripted()
    yield server
    server.close()


def ask(server, *script, name=OPENAI_COMPATIBLE, **further):
    server.script = list(script)
    return make(name, server, **further).make_request(request_for())


# --- length ---------------------------------------------------------------------------------------------------------------


def padded(length):
    return json.dumps({**ANSWER, "padding": " " * length}).encode()


@pytest.mark.parametrize("encode, headers", [(gzip.compress, {"Content-Encoding": "gzip"}), (bytes, {})])
def test_an_answer_that_is_too_long_is_malformed_however_short_it_comes(server, monkeypatch, encode, headers):
    monkeypatch.setenv("HELM_MAX_ANSWER_MIB", "2")
    result = ask(server, Response(200, encode(padded(3 * MIB)), headers))
    assert result.outcome == "malformed" and "the answer is longer than 2 MiB" in result.error, result.error
    assert "HELM_MAX_ANSWER_MIB" in result.error
    assert ask(server, Response(200, encode(padded(1 * MIB)), headers)).completions[0].text == "B"


def test_no_more_is_read_than_is_allowed(server, monkeypatch):
    """The server sends pieces for ever and sees the connection end."""
    monkeypatch.setenv("HELM_MAX_ANSWER_MIB", "1")
    sent, ended = [], threading.Event()

    def handle(handler, data):
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        try:
            while len(sent) < 4096:
                handler.wfile.write(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
                sent.append(0x10000)
        except OSError:
            pass
        ended.set()

    server.handle = handle
    assert make(OPENAI_COMPATIBLE, server).make_request(request_for()).outcome == "malformed"
    assert ended.wait(30) and sum(sent) < 64 * MIB


@pytest.mark.parametrize("text", ["0", "-1", "much", "1.5"])
def test_the_limit_is_a_number_of_mebibytes(server, monkeypatch, text):
    monkeypatch.setenv("HELM_MAX_ANSWER_MIB", text)
    with pytest.raises(ConfigError, match="HELM_MAX_ANSWER_MIB takes a whole number"):
        ask(server, Response(200, ANSWER))


def test_answers_on_their_way_share_their_room_and_the_first_one_always_has_some():
    room = AnswerRoom(100)
    got, first_is_done = [], threading.Event()
    second_has_some = threading.Event()

    def second():
        with room.place() as take:
            take(60)
            second_has_some.set()
            take(30)  # 40 + 60 are taken
            got.append(first_is_done.is_set())

    with room.place() as take:
        take(40)
        thread = threading.Thread(target=second)
        thread.start()
        assert second_has_some.wait(30)
        take(500)  # it would wait for ever, if it waited
        thread.join(0.05)
        assert thread.is_alive() and not got
        first_is_done.set()
    thread.join(30)
    assert got == [True]
    with room.place() as take:
        take(1000)  # alone


def test_all_that_an_answer_took_is_given_back():
    room = AnswerRoom(100)
    for _ in range(2):
        with room.place() as take:
            for num_bytes in (30, 40, 50):
                take(num_bytes)
            assert room._used == 120
        assert (room._used, room._taken) == (0, {})


@pytest.mark.parametrize("is_stopped_before", [False, True])
def test_ctrl_c_ends_the_wait_for_room(is_stopped_before):
    room, stop, waits, ended = AnswerRoom(100), threading.Event(), threading.Event(), []

    def second():
        with stoppable_by(stop):
            try:
                with room.place() as take:
                    take(10)  # there is room: no matter that the run stops
                    waits.set()
                    take(50)
            except KeyboardInterrupt:
                ended.append(True)

    with room.place() as take:
        take(80)
        if is_stopped_before:
            stop.set()
        thread = threading.Thread(target=second, daemon=True)
        thread.start()
        assert waits.wait(30)
        stop.set()
        thread.join(30)  # nobody gives room back
        assert ended == [True]
        take(20)  # what it had is there again


def body(data, **headers):
    return urllib3.HTTPResponse(body=io.BytesIO(data), headers=headers, preload_content=False)


def test_a_body_is_read_whole_up_to_the_limit(monkeypatch):
    monkeypatch.setenv("HELM_MAX_ANSWER_MIB", "1")
    longest = bytes(range(256)) * (MIB // 256)
    response = body(longest)
    assert read_body(response) == longest
    assert read_body(body(b"")) == b""
    assert read_body(body(gzip.compress(longest), **{"content-encoding": "gzip"})) == longest
    for too_long in (body(longest + b"x"), body(gzip.compress(longest + b"x"), **{"content-encoding": "gzip"})):
        with pytest.raises(AnswerTooLong, match=r"longer than 1 MiB \(decoded\)"):
            read_body(too_long)
        assert too_long.closed


def test_the_least_and_the_most_that_a_setting_may_allow(monkeypatch):
    for text, expected in (("1", MIB), ("1048576", 1 << 40), ("", 3 * MIB)):
        monkeypatch.setenv("SOME_MIB", text)
        assert mebibytes("SOME_MIB", 3) == expected
    monkeypatch.setenv("SOME_MIB", "1048577")
    with pytest.raises(ConfigError, match="SOME_MIB takes a whole number of MiB"):
        mebibytes("SOME_MIB", 3)
    monkeypatch.setenv("SOME_MIB", "\u0663")
    with pytest.raises(ConfigError):
        mebibytes("SOME_MIB", 3)


def test_what_is_allowed_by_default(monkeypatch):
    """The reference names these."""
    monkeypatch.delenv("HELM_MAX_ANSWER_MIB", raising=False)
    assert max_answer_bytes() == 64 * MIB
    with ANSWERS.place() as take:
        take(0)
        assert ANSWERS._limit == 256 * MIB


# --- depth ----------------------------------------------------------------------------------------------------------------


def test_deep_json_cannot_be_read():
    for depth in (MAX_DEPTH + 1, 900, 100_000):
        for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth, b"[" * depth + b"]" * depth):
            with pytest.raises(ValueError, match="nested more than 200 levels deep"):
                read_json(text)
    with pytest.raises(ValueError, match="more than 2,000,000 lists and objects"):
        read_json("[" + "[]," * 2_000_000 + "0]")
    assert read_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert read_json(json.dumps([{"a": ["[" * 1000]}] * 1000)) == [{"a": ["[" * 1000]}] * 1000


def test_a_deep_answer_says_what_is_wrong_with_it(server):
    for body in (b"[" * 100_000 + b"]" * 100_000, b"[" * 300 + b"]" * 300):
        result = ask(server, Response(200, body))
        assert result.outcome == "malformed" and "cannot be read, for it is nested more than 200 levels" in result.error


@pytest.mark.parametrize("depth", [300, 100_000])
def test_arguments_of_a_tool_that_are_too_deep_stay_a_text(server, depth):
    deep = "[" * depth + "]" * depth
    message = {"content": None, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": deep}}]}
    answer = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    result = ask(server, Response(200, answer))
    assert result.success and result.completions[0].tool_calls[0]["arguments"] == deep


def test_a_stored_value_that_is_too_deep_is_told_as_any_other_damage(tmp_path):
    with pytest.raises(CacheError, match="A cached value is not JSON"):
        decode_value("[" * 100_000 + "]" * 100_000)
    (tmp_path / "spent").write_bytes(b"[" * 100_000 + b"\n[3, 4, 0.5]\n")
    spent = SpendingFile(str(tmp_path / "spent"))
    assert spent.tokens == 7
    spent.close(remove=True)


# --- errors in answers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nothing", [None, "", {}, [], False, {"message": None, "code": 0}])
def test_an_error_that_says_nothing_is_none(server, nothing):
    answer = {**ANSWER, "error": nothing, "choices": [{**ANSWER["choices"][0], "error": nothing}]}
    assert ask(server, Response(200, answer)).completions[0].text == "B"


@pytest.mark.parametrize(
    "answer",
    [
        {**ANSWER, "error": "upstream"},
        {**ANSWER, "error": True},
        {**ANSWER, "errors": [{"message": "upstream"}]},
        {"type": "error", "message": "upstream"},
        {"choices": [ANSWER["choices"][0], {"error": {"code": 1}}]},
        {"completions": [{"finishReason": {"reason": "error"}}]},
        {"candidates": [{"finishReason": "CANCELLED"}]},
        {"stop_reason": "abort"},
    ],
)
def test_what_counts_as_an_error(answer):
    assert find_error(answer) is not None


@pytest.mark.parametrize("answer", [ANSWER, [], None, "error", {"data": [{"error": "of a row"}]}, {"choices": "error"}])
def test_what_does_not(answer):
    assert find_error(answer) is None


def test_an_error_in_a_choice_is_tried_again(server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "1")
    monkeypatch.setattr("helm.clients.http.http_endpoint.sleep_until_stopped", lambda seconds: None)
    assert ask(server, Response(200, HALF_AN_ANSWER), Response(200, ANSWER)).completions[0].text == "B"
    result = ask(server, Response(200, HALF_AN_ANSWER))
    assert result.outcome == "server" and UPSTREAM_ERROR["message"] in result.error and not result.completions


def test_an_error_in_a_choice_of_a_stream(server):
    """As OpenRouter sends it: a last chunk, with a choice that is not finished but ended."""
    chunk = {"choices": [{"index": 0, "delta": {"content": "B"}, "finish_reason": None}]}
    for last in (
        {"error": UPSTREAM_ERROR, "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}]},
        {"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error", "error": UPSTREAM_ERROR}]},
    ):
        data = "".join(f"data: {json.dumps(event)}\n\n" for event in (chunk, last)) + "data: [DONE]\n\n"
        result = ask(server, Response(200, data.encode(), content_type="text/event-stream"))
        assert result.outcome == "server" and UPSTREAM_ERROR["message"] in result.error, result.error


def test_an_error_that_an_earlier_version_cached_is_asked_for_again(server, tmp_path):
    config = SqliteCacheConfig(str(tmp_path / "cache.sqlite"))
    client = make(OPENAI_COMPATIBLE, server, config)
    assert client.make_request(request_for()).success
    ((key, response),) = Cache(config).get_all()
    assert response["choices"] == ANSWER["choices"]
    client.cache._get_store().put(key, {**response, **HALF_AN_ANSWER})
    result = client.make_request(request_for())
    assert result.success and not result.cached and len(server.requests) == 2
    assert client.make_request(request_for()).cached and len(server.requests) == 2


# --- messages and headers -------------------------------------------------------------------------------------------------

QUOTING = [name for name in CLIENTS if "api_key" in CLIENTS[name] and profile(name) != "watsonx"]  # needs a token first


@pytest.mark.parametrize("name", QUOTING)
def test_not_even_a_part_of_the_key_is_quoted(name, server):
    """The end of what is quoted falls into the key that the server repeats."""
    for padding in (0, *range(200, 290, 8)):
        result = ask(server, Response(200, {"pad": "x" * padding, "key": KEY}), name=name)
        assert result.outcome == "malformed" and "pad" in result.error
        assert KEY[:4] not in result.error, result.error


@pytest.mark.parametrize("status", [400, 401, 500])
def test_an_error_that_quotes_the_key_is_redacted(server, status):
    result = ask(server, Response(status, {"error": {"message": f"the key {KEY} is not liked"}}))
    assert "the key *** is not liked" in result.error and KEY not in result.error


def test_what_the_headers_of_a_refusal_say_is_left_is_heeded(server, monkeypatch):
    headers = {"x-ratelimit-limit-requests": "10", "x-ratelimit-remaining-requests": "0"}
    headers["x-ratelimit-reset-requests"] = "600ms"
    refusal = Response(429, {"error": {"message": "slow", "code": "rate_limit_exceeded"}}, headers)
    server.script, told = [refusal, Response(200, ANSWER)], []
    client = make(OPENAI_COMPATIBLE, server)
    monkeypatch.setattr(client.limiter, "told", lambda kind, allowance: told.append((kind, allowance)))
    assert client.make_request(request_for()).outcome == "rate-limited"
    assert told == [("requests", Allowance(10, 0, 0.6))]
    assert client.make_request(request_for()).success and len(told) == 1


def test_how_long_a_refusal_asks_to_wait_is_heeded(server, monkeypatch):
    refusal = Response(429, {"error": {"message": "slow"}}, {"Retry-After": "0.2"})
    server.script, rejected = [refusal, Response(200, ANSWER)], []
    client = make(OPENAI_COMPATIBLE, server)
    known = client.limiter.rejected
    monkeypatch.setattr(
        client.limiter, "rejected", lambda ticket, pause_s: (rejected.append(pause_s), known(ticket, pause_s))
    )
    assert client.make_request(request_for()).outcome == "rate-limited"
    assert rejected == [0.2]
