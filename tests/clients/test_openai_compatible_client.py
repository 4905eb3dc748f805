"""The client of OpenAI-compatible servers, against a real server on loopback that can misbehave."""

import json
import logging
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.clients.openai_compatible_client import OpenAICompatibleClient
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import Request
from helm.common.response_format import ResponseFormat

KEY = "sk-very-secret"


class Server:
    """Gives the prepared answers in turn, the last one for ever: (status, body[, headers]) or a function."""

    def __init__(self):
        self.answers, self.bodies, self.headers, self.paths = [], [], [], []
        self.connections = set()
        self.stop = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                outer.headers.append(self.headers)
                outer.paths.append(self.path)
                outer.connections.add(self.client_address)
                answer = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                if callable(answer):
                    return answer(self)
                status, body, headers = (*answer, {})[:3]
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.stop.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server = Server()
    yield server
    server.close()


def chat(*texts, **fields):
    message = fields.pop("message", {})
    messages = [{"role": "assistant", "content": text, **message} for text in texts]
    choices = [{"index": i, "message": m, "finish_reason": "stop", **fields} for i, m in enumerate(messages)]
    return 200, {"choices": choices, "usage": {"prompt_tokens": 3, "completion_tokens": 1}}


def make_client(server, **kwargs):
    kwargs.setdefault("cache_config", BlackHoleCacheConfig())
    return OpenAICompatibleClient(base_url=server.url, openai_model_name="m", **kwargs)


def ask(server, request=None, **kwargs):
    return make_client(server, **kwargs).make_request(request or Request(prompt="Say hi", temperature=0, max_tokens=5))


def test_prompt_becomes_one_user_message(server):
    server.answers = [chat("hi")]
    result = ask(server, Request(prompt="Say hi", temperature=0, max_tokens=5, stop_sequences=["\n"]))
    assert result.success and not result.cached
    (completion,) = result.completions
    assert (completion.text, completion.finish_reason, completion.tokens) == ("hi", {"reason": "stop"}, [])
    assert result.request_time > 0 and result.request_datetime > 0
    assert server.paths == ["/v1/chat/completions"]
    assert server.bodies == [
        {
            "model": "m",
            "messages": [{"role": "user", "content": "Say hi"}],
            "temperature": 0,
            "top_p": 1,
            "n": 1,
            "max_tokens": 5,
            "presence_penalty": 0,
            "frequency_penalty": 0,
            "stop": ["\n"],
        }
    ]
    assert server.headers[0]["Authorization"] is None


def test_messages_and_schema_are_sent_as_they_are(server):
    server.answers = [chat("{}")]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    response_format = ResponseFormat(json_schema={"type": "object"})
    assert ask(server, Request(messages=messages, response_format=response_format)).success
    assert server.bodies[0]["messages"] == messages
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == {"type": "object"}


def test_url_and_key_from_the_environment(server, monkeypatch):
    server.answers = [chat("hi")]
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    client = OpenAICompatibleClient(BlackHoleCacheConfig(), model_name="org/name")
    assert client.make_request(Request(prompt="x")).success
    assert server.paths == ["/v1/chat/completions"] and server.bodies[0]["model"] == "name"
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_response_is_cached_under_what_was_sent_and_to_whom(server, tmp_path):
    server.answers = [chat("hi")]
    config = SqliteCacheConfig(str(tmp_path / "cache.sqlite"))
    client = make_client(server, cache_config=config, api_key=KEY)
    request = Request(prompt="Say hi")
    first, second = client.make_request(request), client.make_request(request)
    assert (first.cached, second.cached) == (False, True)
    assert first.completions == second.completions and first.request_time == second.request_time
    ((key, _),) = client.cache.get_all()
    assert key == {**server.bodies[0], "base_url": server.url}
    client.make_request(Request(prompt="Say hi", random="1"))
    assert len(server.bodies) == 2


def test_failures_are_not_cached(server, tmp_path):
    server.answers = [(500, {"error": {"message": "busy"}}), (200, b"<html>"), chat("hi")]
    client = make_client(server, cache_config=SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    assert [client.make_request(Request(prompt="x")).success for _ in range(4)] == [False, False, True, True]
    assert len(server.bodies) == 3


def test_several_completions_at_once_come_in_order(server):
    status, body = chat("a", "b", "c")
    body["choices"].reverse()
    server.answers = [(status, body)]
    result = ask(server, Request(prompt="x", num_completions=3))
    assert [c.text for c in result.completions] == ["a", "b", "c"]
    assert [body["n"] for body in server.bodies] == [3]


def test_server_that_ignores_n_is_asked_again(server, tmp_path):
    server.answers = [chat("a"), chat("b"), chat("c")]
    client = make_client(server, cache_config=SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    for _ in range(2):
        result = client.make_request(Request(prompt="x", num_completions=3))
        assert [c.text for c in result.completions] == ["a", "b", "c"]
    assert result.cached and [body["n"] for body in server.bodies] == [3, 2, 1]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart_from_the_answer(server, field):
    server.answers = [chat("42", message={field: "Let me see."})]
    (completion,) = ask(server).completions
    assert (completion.text, completion.thinking.text) == ("42", "Let me see.")


def test_reasoning_that_uses_up_the_budget_is_an_empty_answer(server):
    server.answers = [chat(None, message={"reasoning_content": "Hm"}, finish_reason="length")]
    (completion,) = ask(server).completions
    assert (completion.text, completion.finish_reason) == ("", {"reason": "length"})


def test_chat_logprobs_become_tokens(server):
    content = [{"token": "h", "logprob": -0.5}, {"token": "i", "logprob": -0.25}]
    server.answers = [chat("hi", logprobs={"content": content})]
    (completion,) = ask(server).completions
    assert [(token.text, token.logprob) for token in completion.tokens] == [("h", -0.5), ("i", -0.25)]
    assert completion.logprob == -0.75


def test_stop_sequence_in_the_answer_cuts_text_and_tokens(server):
    content = [{"token": "a b", "logprob": -1}, {"token": "c\nd", "logprob": -2}, {"token": "e", "logprob": -4}]
    server.answers = [chat("a bc\nde", logprobs={"content": content})]
    (completion,) = ask(server, Request(prompt="x", stop_sequences=["d", "\n"])).completions
    assert completion.text == "a bc" == "".join(token.text for token in completion.tokens)
    assert completion.logprob == -3


def test_echo_goes_to_the_completions_route_and_brings_the_logprobs_of_the_prompt(server):
    logprobs = {"tokens": ["Say", " hi"], "token_logprobs": [None, -1.5]}
    server.answers = [(200, {"choices": [{"text": "Say hi", "logprobs": logprobs, "finish_reason": "length"}]})]
    request = Request(prompt="Say hi", echo_prompt=True, max_tokens=0, stop_sequences=["h"])
    (completion,) = ask(server, request).completions
    assert server.paths == ["/v1/completions"]
    body = server.bodies[0]
    assert (body["prompt"], body["echo"], body["logprobs"]) == ("Say hi", True, 1)
    assert [(token.text, token.logprob) for token in completion.tokens] == [("Say", 0.0), (" hi", -1.5)]
    assert completion.text == "Say hi"


def test_echo_without_logprobs_is_a_failure(server):
    server.answers = [(200, {"choices": [{"text": "Say hi", "finish_reason": "length"}]})]
    result = ask(server, Request(prompt="Say hi", echo_prompt=True, max_tokens=0))
    assert not result.success and "no log-probabilities" in result.error


def test_server_without_chat_route_is_asked_for_completions(server, caplog):
    server.answers = [(404, {"detail": "Not Found"}), (200, {"choices": [{"text": "hi", "finish_reason": "stop"}]})]
    client = make_client(server)
    with caplog.at_level(logging.WARNING, logger="helm"):
        results = [client.make_request(Request(prompt=prompt)) for prompt in "ab"]
    assert [result.completions[0].text for result in results] == ["hi", "hi"]
    assert server.paths == ["/v1/chat/completions", "/v1/completions", "/v1/completions"]
    assert caplog.text.count("does not exist; using") == 1


def test_server_without_completions_route_cannot_echo(server):
    server.answers = [(404, {"detail": "Not Found"})]
    result = ask(server, Request(prompt="x", echo_prompt=True, max_tokens=0))
    assert not result.success and "need this route" in result.error and f"{server.url}/completions" in result.error


def test_unknown_model_is_not_taken_for_a_missing_route(server):
    server.answers = [(404, {"error": {"message": "The model `m` does not exist."}})]
    result = ask(server)
    assert "The model `m` does not exist." in result.error
    assert server.paths == ["/v1/chat/completions"]


STATUSES = {400: False, 401: False, 403: False, 422: False, 429: True, 500: True, 502: True, 503: True}


@pytest.mark.parametrize("status", STATUSES)
def test_error_status_is_a_failure_that_quotes_the_server(server, status):
    server.answers = [(status, {"error": {"message": "because of reasons " + "x" * 1000}})]
    result = ask(server)
    assert not result.success and result.completions == []
    assert f"{server.url}/chat/completions" in result.error
    assert f"HTTP status {status}. because of reasons" in result.error and len(result.error) < 500
    assert result.error_flags.is_retriable is STATUSES[status] and result.error_flags.is_fatal is True


def test_key_is_neither_logged_nor_in_an_error_nor_in_the_cache(server, tmp_path, caplog):
    path = tmp_path / "cache.sqlite"
    server.answers = [(400, {"error": {"message": f"No such project for {KEY}"}}), chat("hi")]
    client = make_client(server, api_key=KEY, cache_config=SqliteCacheConfig(str(path)))
    with caplog.at_level(logging.DEBUG):
        failed, answered = client.make_request(Request(prompt="x")), client.make_request(Request(prompt="x"))
    assert not failed.success and answered.success
    assert "No such project for ***" in failed.error
    assert KEY not in caplog.text and KEY not in repr(answered)
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_short_retry_after_is_honoured(server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "1")
    started = time.monotonic()
    server.answers = [(429, {"error": "slow down"}, {"Retry-After": "0.05"}), chat("hi")]
    result = ask(server)
    assert result.success and len(server.bodies) == 2
    assert time.monotonic() - started >= 0.05 > result.request_time, "the time of a request is that of its answer"


@pytest.mark.parametrize("pause", ["3600", "Wed, 21 Oct 2026 07:28:00 GMT"])
def test_long_retry_after_is_left_to_the_caller(server, pause):
    server.answers = [(429, {"error": "come back later"}, {"Retry-After": pause})]
    result = ask(server)
    assert not result.success and "come back later" in result.error and len(server.bodies) == 1


@pytest.mark.parametrize(
    "body, cause",
    [
        (b"<html>login</html>", "not JSON: <html>login</html>"),
        (b"", "not JSON: it is empty"),
        (b'{"choices": [{"message"', "not JSON"),
        (b"[]", "no list of choices"),
        ({"choices": []}, "no list of choices"),
        ({"choices": "none"}, "no list of choices"),
        ({"error": {"message": "overloaded"}}, "overloaded"),
        ({"choices": [{"text": "hi"}]}, "no text"),
        ({"choices": [{"message": {"content": None}, "finish_reason": "stop"}]}, "no text"),
        ({"choices": [{"message": {"content": 7}}]}, "no text"),
        ({"choices": [{"message": {"content": "a"}, "logprobs": {"content": [{"token": 1}]}}]}, "malformed"),
    ],
)
def test_garbage_is_a_failure_and_never_an_answer(server, body, cause):
    server.answers = [(200, body)]
    result = ask(server)
    assert not result.success and result.completions == []
    assert cause in result.error and server.url in result.error
    assert result.error_flags.is_fatal is True


def test_filtered_answer_is_a_failure_that_does_not_end_the_run(server):
    server.answers = [chat(None, finish_reason="content_filter")]
    result = ask(server)
    assert not result.success and "content filter" in result.error
    assert (result.error_flags.is_retriable, result.error_flags.is_fatal) == (False, False)


def test_answer_that_breaks_off_is_a_failure(server):
    def broken(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.wfile.flush()
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True

    server.answers = [broken]
    result = ask(server)
    assert not result.success and "broke off" in result.error and result.error_flags.is_retriable


def test_silent_server_runs_into_the_time_limit(server):
    server.answers = [lambda handler: server.stop.wait(30)]
    result = ask(server, timeout_s=0.2)
    assert not result.success and f"{server.url}/chat/completions: no answer within 0.2 s." == result.error
    assert result.error_flags.is_retriable


def test_time_limit_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("HELM_REQUEST_TIMEOUT_S", "7")
    assert make_client(server).timeout_s == 7
    monkeypatch.setenv("HELM_REQUEST_TIMEOUT_S", "soon")
    with pytest.raises(ConfigError, match="HELM_REQUEST_TIMEOUT_S takes a number of seconds, not 'soon'"):
        make_client(server)


def test_refused_connection_is_a_failure():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        client = OpenAICompatibleClient(BlackHoleCacheConfig(), base_url=url, openai_model_name="m")
        result = client.make_request(Request(prompt="x"))
    assert not result.success and url in result.error and "Connection refused" in result.error
    assert result.error_flags.is_retriable


def test_unknown_host_is_a_failure():
    client = OpenAICompatibleClient(BlackHoleCacheConfig(), base_url="http://no-such-host.invalid/v1", model_name="a/b")
    result = client.make_request(Request(prompt="x"))
    assert not result.success and "no-such-host.invalid" in result.error


def test_connections_are_kept_and_shared(server):
    server.answers = [chat("hi")]
    clients = [make_client(server), make_client(server)]
    for i in range(10):
        assert clients[i % 2].make_request(Request(prompt=str(i))).success
    assert len(server.connections) == 1
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda i: clients[i % 2].make_request(Request(prompt=str(i))), range(40)))
    assert all(result.success for result in results) and len(server.connections) <= 9


def test_pictures_are_sent_and_films_are_refused(server):
    server.answers = [chat("a cat")]
    image = MultimediaObject([MediaObject(location="http://localhost/x.png", content_type="image/png")])
    assert ask(server, Request(multimodal_prompt=image)).success
    (part,) = server.bodies[0]["messages"][0]["content"]
    assert part == {"type": "image_url", "image_url": {"url": "http://localhost/x.png"}}
    film = MultimediaObject([MediaObject(location="http://localhost/x.mp4", content_type="video/mp4")])
    result = ask(server, Request(multimodal_prompt=film))
    assert result.outcome == "refused" and "video/mp4" in result.error and len(server.bodies) == 1


def test_embedding_is_not_available(server):
    assert not ask(server, Request(prompt="x", embedding=True)).success


@pytest.mark.parametrize("url", [None, "localhost:8000/v1", "ftp://x/v1", "http://"])
def test_base_url_is_checked_at_once(url, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigError, match="base_url"):
        OpenAICompatibleClient(BlackHoleCacheConfig(), base_url=url)
