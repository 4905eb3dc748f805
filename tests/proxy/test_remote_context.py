"""The proxy protocol, against a real HTTP server on this machine that answers as a proxy server does."""

import argparse
import json
import threading
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from helm.common.authentication import Authentication
from helm.common.cache import BlackHoleCacheConfig
from helm.common.errors import ConfigError
from helm.common.perspective_api_request import PerspectiveAPIRequest, PerspectiveAPIRequestResult
from helm.common.remote_context import RemoteContext
from helm.common.request import GeneratedOutput, Request, RequestResult, Token
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
    TokenizationToken,
)
from helm.proxy.query import Query
from helm.proxy.services.remote_service import RemoteServiceError, add_service_args, create_authentication
from helm.proxy.services.service import expand_environments, expand_query, substitute_text, synthesize_request

KEY = "secret-key-1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.paths.append(self.path)
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(form, keep_blank_values=True).items()}
        fields["key"] = (self.headers["Authorization"] or "").removeprefix("Bearer ")
        body = self.server.answer(self.path, fields)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

    def log_message(self, *args):
        pass


def proxy(path, fields):
    """A little proxy server: its model answers with the prompt in capitals."""
    if path == "/api/general_info":
        return {"version": "1.0", "example_queries": [asdict(Query("a"))], "all_models": [{"name": "a/b"}]}
    if path == "/api/query":
        del fields["key"]
        return asdict(expand_query(Query(**fields)))
    if fields["key"] != KEY:
        return {"error": "EXCEPTION: Invalid API key\nTraceback ..."}
    request = json.loads(fields["request"])
    if path == "/api/request":
        assert set(request) == set(asdict(Request()))
        if request["prompt"] == "fail":
            return asdict(RequestResult(False, [], [], cached=False, error="model is tired"))
        text = request["prompt"].upper()
        result = asdict(RequestResult(True, [], [GeneratedOutput(text, -1.5, [Token(text, -1.5)])], cached=True))
        result["completions"][0]["tokens"][0]["top_logprobs"] = {}
        return result
    if path == "/api/tokenize":
        return asdict(TokenizationRequestResult(True, False, request["text"], [TokenizationToken(7)]))
    if path == "/api/decode":
        return asdict(DecodeRequestResult(True, False, str(request["tokens"])))
    assert path == "/api/toxicity"
    return asdict(PerspectiveAPIRequestResult(success=True, cached=False))


@pytest.fixture
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.answer, server.paths = proxy, []
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def context(server):
    return RemoteContext(server.url + "/", Authentication(KEY))


def test_a_request_goes_there_and_comes_back(context):
    result = context.make_request(Request(prompt="é & ü", stop_sequences=["\n"], random="1"))
    assert result.success and result.cached
    assert result.completions == [GeneratedOutput("É & Ü", -1.5, [Token("É & Ü", -1.5)])]


def test_tokenizing_and_decoding(context):
    assert context.tokenize(TokenizationRequest("ab", tokenizer="a/b", encode=True)).raw_tokens == [7]
    assert context.decode(DecodeRequest([1, 2], tokenizer="a/b")).text == "[1, 2]"
    assert context.get_tokenizer("a/b") is None


def test_toxicity_and_general_info(context):
    assert context.get_toxicity_scores(PerspectiveAPIRequest(text_batch=["x"])).success
    info = context.get_general_info()
    assert (info.version, info.example_queries) == ("1.0", [Query("a")])


def test_an_unsuccessful_result_is_a_result(context):
    result = context.make_request(Request(prompt="fail"))
    assert (result.success, result.error) == (False, "model is tired")


def test_an_error_of_the_server_is_raised_with_the_request_and_without_the_key(server):
    context = RemoteContext(server.url, Authentication("wrong-key"))
    with pytest.raises(RemoteServiceError) as caught:
        context.make_request(Request(prompt="hello"))
    assert str(caught.value).startswith("EXCEPTION: Invalid API key")
    assert '"prompt": "hello"' in str(caught.value)
    assert "wrong-key" not in str(caught.value)


@pytest.mark.parametrize(
    "body, message",
    [(b"<html>", "gave no JSON"), (b"[]", "gave no RequestResult"), (b'{"success": 3}', "gave no RequestResult")],
)
def test_garbage_is_named(server, context, body, message):
    server.answer = lambda path, fields: body
    with pytest.raises(RemoteServiceError) as caught:
        context.make_request(Request(prompt="hello"))
    assert server.url in str(caught.value) and message in str(caught.value)


def test_a_server_that_is_not_there_is_named_and_the_key_is_not(server, context):
    server.shutdown()
    server.server_close()
    with pytest.raises(RemoteServiceError) as caught:
        context.make_request(Request(prompt="hello"))
    assert f"Cannot reach {server.url}/api/request" in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_what_does_not_go_through_the_proxy(context):
    for method in (context.upload, context.check_nudity, context.compute_clip_score, context.make_critique_request):
        with pytest.raises(NotImplementedError):
            method(None)
    assert context.get_cache_config("x") == BlackHoleCacheConfig()


def test_authentication_is_read_from_the_file(tmp_path):
    parser = argparse.ArgumentParser()
    add_service_args(parser)
    path = tmp_path / "key.txt"
    args = parser.parse_args(["--server-url", "http://x", "--api-key-path", str(path)])
    with pytest.raises(ConfigError, match="key.txt"):
        create_authentication(args)
    path.write_text("abc\n")
    assert create_authentication(args) == Authentication("abc")


# --- queries ----------------------------------------------------------------------------------------------------------


def test_environments_are_multiplied_out():
    assert expand_environments({"a": ["1", "2"], "b": ["x", "y"]}) == [
        {"a": "1", "b": "x"},
        {"a": "1", "b": "y"},
        {"a": "2", "b": "x"},
        {"a": "2", "b": "y"},
    ]
    assert expand_environments({}) == [{}]


def test_variables_are_replaced_and_unknown_ones_named():
    assert substitute_text("${city} and ${city}", {"city": "Rome"}) == "Rome and Rome"
    with pytest.raises(ConfigError, match=r"'\$\{cty\}'.*city"):
        substitute_text("${cty}", {"city": "Rome"})


def test_a_request_is_made_of_prompt_and_settings():
    request = synthesize_request("Hi ${who}", "temperature: ${t}\nstop_sequences: [x]", {"who": "you", "t": "0.5"})
    assert request == Request(prompt="Hi you", temperature=0.5, stop_sequences=["x"])
    with pytest.raises(ConfigError, match="temprature.*temperature"):
        synthesize_request("Hi", "temprature: 1", {})


def test_a_query_through_the_proxy(context):
    result = context.expand_query(Query("In ${city}", "max_tokens: 3", "city: [Rome, Paris]"))
    assert [(request.prompt, request.max_tokens) for request in result.requests] == [("In Rome", 3), ("In Paris", 3)]
