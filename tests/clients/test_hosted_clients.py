"""Every client of a hosted model against a real server that misbehaves: what is said, and what is never an answer."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules

import pytest

import conformance_server as faults
import hosted_clients
from conformance_server import ConformanceServer
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import OUTCOMES, Request, Usage
from hosted_clients import CLIENTS, KEY, clients, dialect, failures, make, profile, request_for, streaming_clients

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20
OPENAI_COMPATIBLE = "openai_compatible_client.OpenAICompatibleClient openai"


@pytest.fixture(scope="module")
def one_server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server):
    one_server.released.set()
    one_server.reset()
    return one_server


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)


@pytest.fixture(scope="module")
def service_account_file(one_server, tmp_path_factory):
    """The key of a service account of Google, whose tokens come from the conformance server."""
    path = tmp_path_factory.mktemp("google") / "key.json"
    hosted_clients.write_service_account(path, one_server)
    return path


@pytest.fixture(autouse=True)
def google_account(request, monkeypatch):
    """Only where a client needs it: making keys takes a while."""
    names = [str(value) for value in getattr(getattr(request.node, "callspec", None), "params", {}).values()]
    if any(name in CLIENTS and profile(name) == "vertex" for name in names):
        path = request.getfixturevalue("service_account_file")
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))


def for_clients(ability=None):
    return pytest.mark.parametrize("name", clients(ability))


def test_every_client_that_asks_over_http_is_in_the_table():
    import helm.clients
    from helm.clients.http.http_client import HTTPClient

    listed = {name.partition(" ")[0] for name in CLIENTS} | set(hosted_clients.TESTED_ELSEWHERE)
    for info in iter_modules(helm.clients.__path__):
        module = import_module(f"helm.clients.{info.name}")
        for name, value in vars(module).items():
            if isclass(value) and issubclass(value, HTTPClient) and value.__module__ == module.__name__:
                assert name.startswith("_") or f"{info.name}.{name}" in listed, f"{info.name}.{name} is not tested"


@for_clients()
def test_an_answer(name, server):
    result = make(name, server).make_request(request_for())
    assert result.success and result.outcome == "ok" and not result.cached, result.error
    (completion,) = result.completions
    assert completion.text == "hi there"
    if name in clients("finish_reason"):
        assert completion.finish_reason["reason"] in ("stop", "endoftext")
    if name in clients("usage"):
        assert result.usage is not None and (result.usage.prompt_tokens, result.usage.completion_tokens) == (7, 3)
    if completion.tokens:
        assert "".join(token.text for token in completion.tokens) in ("hi there", "hithere")
        assert completion.logprob == pytest.approx(sum(token.logprob for token in completion.tokens))
    assert 0 < result.request_time < 5 and result.request_datetime > 1_700_000_000


FIRST_OF_DIALECT = {dialect(name): name for name in reversed(CLIENTS)}
MATRIX = [
    pytest.param(
        name,
        fault,
        id=f"{name}-{fault}",
        # Those that read answers as another client does have every fourth fault, each beginning with the next one.
        marks=[pytest.mark.slow] if name != FIRST_OF_DIALECT[dialect(name)] and (row + column) % 4 else [],
    )
    for row, name in enumerate(clients())
    for column, fault in enumerate(failures(name))
]


@pytest.mark.parametrize("name, fault", MATRIX)
def test_what_is_no_answer_has_an_outcome_and_is_not_cached(name, server, fault, tmp_path):
    server.faults, server.key = [fault], KEY
    client = make(name, server, SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    result = client.make_request(request_for())
    assert not result.success and result.completions == []
    assert result.outcome == failures(name)[fault], result.error
    assert result.outcome in OUTCOMES
    assert "http://127.0.0.1:" in result.error and KEY not in result.error
    assert result.error_flags.is_fatal is (result.outcome != "filtered")
    if fault in (faults.BAD_REQUEST, faults.RATE_LIMIT, faults.TOO_LONG):
        said = json.loads(server.error(server.requests[-1]["path"], faults.KINDS[fault]).body)
        text = next(text for text in _texts(said) if " " in text)
        assert text in result.error, "the server's own words are not quoted"
    if result.outcome == "auth":
        num_sent = len(server.requests)
        again = client.make_request(request_for(prompt="another"))
        assert again.outcome == "auth"
        if fault == faults.AUTH or profile(name) not in ("google", "vertex"):  # where 403 may be about one model
            assert len(server.requests) == num_sent and "Nothing more is sent" in again.error
    else:
        server.faults = [faults.OK]
        assert client.make_request(request_for()).success, "a failure was cached"


def _texts(value):
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for inner in values for text in _texts(inner)]


def test_a_server_that_hangs(server, monkeypatch, service_account_file):
    """All clients together, because each of them notices it only after a while."""
    monkeypatch.setenv("HELM_REQUEST_TIMEOUT_S", "0.2")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(service_account_file))
    server.faults = [faults.HANG]

    def ask(name):
        client = make(name, server, **({"timeout": 0.2} if "http_model" in name else {}))
        client.limiter._concurrency.reopen(len(CLIENTS))  # they share it, and are to be sent at once
        started = time.monotonic()
        result = client.make_request(request_for())
        return result.outcome, "no answer within 0.2 s" in (result.error or ""), time.monotonic() - started < 60

    with ThreadPoolExecutor(len(CLIENTS)) as pool:
        found = dict(zip(CLIENTS, pool.map(ask, CLIENTS), strict=True))
    server.released.set()
    assert found == dict.fromkeys(CLIENTS, ("timed-out", True, True))


@pytest.mark.parametrize("name", [OPENAI_COMPATIBLE, "anthropic_client.AnthropicMessagesClient"])
def test_a_body_that_never_ends(name, server, monkeypatch):
    monkeypatch.setenv("HELM_REQUEST_DEADLINE_S", "0.3")
    server.faults = [faults.TRICKLE]
    result = make(name, server).make_request(request_for())
    server.released.set()
    assert result.outcome == "timed-out" and "no complete answer within 0.3 s" in result.error


@for_clients()
def test_what_may_pass_is_tried_again(name, server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "3")
    monkeypatch.setattr("helm.clients.http.http_endpoint.sleep_until_stopped", lambda seconds: None)
    passing = [faults.SERVER_ERROR, faults.RATE_LIMIT, faults.BROKEN_JSON, faults.HALF_BODY, faults.RESET]
    server.faults = [*passing, faults.OK]
    result = make(name, server).make_request(request_for())
    assert result.success, result.error
    assert len(server.requests) == len(passing) + 1


@for_clients()
def test_a_pause_that_the_server_asks_for_is_made(name, server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "1")
    server.faults = [faults.RATE_LIMIT_RETRY_AFTER, faults.OK]
    started = time.monotonic()
    assert make(name, server).make_request(request_for()).success
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize("name", [OPENAI_COMPATIBLE, "cohere_client.CohereClient"])
def test_a_pause_until_a_date(name, server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "1")
    server.faults = [faults.RATE_LIMIT_RETRY_DATE, faults.OK]
    started = time.monotonic()
    assert make(name, server).make_request(request_for()).success
    assert time.monotonic() - started >= 0.9  # dates are whole seconds


@for_clients()
def test_what_the_headers_say_is_left_is_not_exceeded(name, server):
    """Both requests of 600 ms are used up, so the next one waits for its share of them."""
    server.faults = [faults.RATE_LIMIT_SOON_FULL, faults.OK]
    client = make(name, server)
    assert client.make_request(request_for()).success
    started = time.monotonic()
    assert client.make_request(request_for(prompt="another")).success
    assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize("fault", [faults.BAD_REQUEST, faults.AUTH])
@for_clients()
def test_what_will_not_pass_is_not_tried_again(name, server, fault, monkeypatch):
    monkeypatch.delenv("HELM_RETRIES")
    server.faults = [fault]
    assert not make(name, server).make_request(request_for()).success
    has_tokens = profile(name) in ("watsonx", "vertex")  # of an hour, which may have been withdrawn
    assert len(server.requests) == (2 if fault == faults.AUTH and has_tokens else 1)


@for_clients()
def test_no_field_that_the_provider_does_not_have(name, server):
    server.strict, server.key = True, KEY
    client = make(name, server)
    for request in (
        request_for(),
        request_for(temperature=0.7, top_p=0.9, stop_sequences=["\n"], presence_penalty=0.1, frequency_penalty=0.1),
        request_for(top_k_per_token=5, random="7"),
    ):
        result = client.make_request(request)
        assert result.success, result.error


@for_clients()
def test_missing_usage_and_unknown_fields_do_not_matter(name, server):
    server.faults = [faults.NO_USAGE, faults.EXTRA_FIELDS]
    client = make(name, server)
    result = client.make_request(request_for())
    assert result.success and result.usage is None
    assert client.make_request(request_for(prompt="another")).success


@for_clients("finish_reason")
def test_an_answer_that_was_cut_says_so(name, server):
    server.faults = [faults.LENGTH]
    result = make(name, server).make_request(request_for())
    assert result.success and result.outcome == "truncated", result.error
    assert result.completions[0].finish_reason["reason"] == "length"


@for_clients("refusal")
def test_a_refusal_by_the_model_is_its_answer(name, server):
    server.faults = [faults.REFUSAL]
    result = make(name, server).make_request(request_for())
    assert result.success and result.completions[0].text == "I cannot help with that.", result.error


@for_clients()
def test_an_empty_answer_is_one(name, server):
    server.text = ""
    result = make(name, server).make_request(request_for())
    assert result.success and result.completions[0].text == "", result.error


@for_clients("thinking")
def test_reasoning_is_apart_from_the_answer(name, server):
    server.faults = [faults.THINKING]
    (completion,) = make(name, server).make_request(request_for()).completions
    assert completion.text == "hi there" and completion.thinking.text == "first I think"


@for_clients("stop")
def test_stop_sequences_are_applied_to_the_answer(name, server):
    server.text = "one END two"
    server.thinking = "I am at the END of my wits"
    server.faults = [faults.THINKING if name in clients("thinking") else faults.OK]
    (completion,) = make(name, server).make_request(request_for(stop_sequences=["END"])).completions
    assert completion.text == "one "
    if completion.thinking is not None:
        assert completion.thinking.text == server.thinking


@for_clients()
def test_the_answer_is_cached_and_further_completions_are_further_draws(name, server, tmp_path):
    client = make(name, server, SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    first = client.make_request(request_for(num_completions=3))
    num_sent = len(server.requests)
    second = client.make_request(request_for(num_completions=3))
    assert len(first.completions) == 3 and first.completions == second.completions
    assert (first.cached, second.cached) == (False, True) and len(server.requests) == num_sent
    assert second.request_time == first.request_time and second.usage == first.usage
    assert not client.make_request(request_for(num_completions=3, random="1")).cached


@for_clients()
def test_messages_are_sent(name, server):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    result = make(name, server).make_request(request_for(prompt="", messages=messages))
    if name not in clients("messages"):
        assert result.outcome == "refused" and server.requests == []
        return
    assert result.success, result.error
    assert all(text in str(server.bodies[0]) for text in ("Be brief.", "Hi"))


@for_clients("pictures")
def test_a_picture_is_sent(name, server, tmp_path):
    path = tmp_path / "cat.png"
    path.write_bytes(PNG)
    prompt = MultimediaObject([MediaObject("image/jpeg", location=str(path)), MediaObject("text/plain", text="What?")])
    result = make(name, server).make_request(request_for(prompt="", multimodal_prompt=prompt))
    assert result.success, result.error
    sent = str(server.bodies[0])
    assert "What?" in sent and "iVBORw0KGgo" in sent and "jpeg" not in sent
    assert "png" in sent or dialect(name) == "aleph_alpha"  # which is told no type


@for_clients("tools")
def test_calls_of_tools_come_back(name, server):
    server.faults = [faults.TOOL_CALL]
    parameters = {"type": "object", "properties": {"word": {"type": "string"}}}
    tools = [{"type": "function", "function": {"name": "look_up", "parameters": parameters}}]
    result = make(name, server).make_request(request_for(tools=tools))
    assert result.success, result.error
    assert result.completions[0].tool_calls == [{"id": "c1", "name": "look_up", "arguments": {"word": "cat"}}]
    assert "look_up" in str(server.bodies[0])


# --- Streams ----------------------------------------------------------------------------------------------------------

WHOLE_STREAMS = [faults.STREAM, faults.STREAM_IN_PIECES, faults.STREAM_CHATTY, faults.STREAM_WITHOUT_END]


@pytest.mark.parametrize("fault", WHOLE_STREAMS)
@pytest.mark.parametrize("name", streaming_clients())
def test_a_stream_is_put_together(name, server, fault):
    """In any pieces, with any line ends, whatever characters the text has."""
    server.text = "naïve 日本語 🙂\u2028line\u0085 \x1c end"
    server.faults = [fault]
    result = make(name, server).make_request(request_for())
    assert result.success and result.completions[0].text == server.text, result.error
    assert result.usage is not None


@pytest.mark.parametrize("name", streaming_clients())
def test_a_stream_that_breaks_off_is_no_answer(name, server):
    server.faults = [faults.STREAM_BROKEN_OFF]
    result = make(name, server).make_request(request_for())
    assert result.outcome == "malformed", result.error


@pytest.mark.parametrize("name", streaming_clients())
def test_an_error_in_a_stream_is_no_answer(name, server):
    server.faults = [faults.STREAM_ERROR]
    result = make(name, server).make_request(request_for())
    assert result.outcome == "server" and ("the worker died" in result.error), result.error


@pytest.mark.parametrize(
    "events", [b"data: 7\n\n", b'data: ["x"]\n\n', b"data: {}\n\n", b'data: {"type": "x"}\n\n', b""]
)
@pytest.mark.parametrize("name", [OPENAI_COMPATIBLE, "anthropic_client.AnthropicMessagesClient stream"])
def test_a_stream_of_anything_is_no_answer(name, server, events, monkeypatch):
    def answer(*args):
        raise faults.Response(200, events, content_type="text/event-stream")

    monkeypatch.setitem(faults.DIALECTS, dialect(name), answer)
    assert make(name, server).make_request(request_for()).outcome == "malformed"


# --- What only some do ------------------------------------------------------------------------------------------------


@for_clients("echo")
def test_log_probabilities_of_the_prompt(name, server):
    max_tokens = 0 if dialect(name) == "completions" else 1
    request = request_for(prompt="Say hi again", echo_prompt=True, max_tokens=max_tokens)
    result = make(name, server).make_request(request)
    assert result.success, result.error
    (completion,) = result.completions
    assert completion.text.startswith("Say hi again")
    assert completion.tokens[0].logprob == 0.0 and completion.tokens[1].logprob == -0.5
    assert completion.logprob == sum(token.logprob for token in completion.tokens)
    if dialect(name) == "completions":
        assert completion.text == "Say hi again" and completion.logprob == -1.0


def test_an_embedding(server):
    result = make("openai_client.OpenAIClient", server).make_request(request_for(embedding=True))
    assert result.success and result.embedding == [0.5, -0.5] and result.completions == []


def test_a_sound_is_written_down_and_then_asked_about(server, tmp_path, monkeypatch):
    from helm.clients import openai_client

    monkeypatch.setattr(openai_client.OpenAIClient, "BASE_URL", f"{server.origin}/v1")
    path = tmp_path / "speech.mp3"
    path.write_bytes(b"sound")
    prompt = MultimediaObject([MediaObject("audio/mpeg", location=str(path)), MediaObject("text/plain", text="?")])
    client = openai_client.OpenAITranscriptionThenCompletionClient(BlackHoleCacheConfig(), api_key=KEY)
    request = Request(model="openai/whisper-1_gpt-4o", prompt="", multimodal_prompt=prompt)
    result = client.make_request(request)
    assert result.success, result.error
    heard, asked = server.requests
    assert heard["path"] == "/v1/audio/transcriptions" and b"whisper-1" in heard["body"] and b"sound" in heard["body"]
    assert asked["body"]["model"] == "gpt-4o" and asked["body"]["messages"][0]["content"] == (
        "\n[TRANSCRIBED AUDIO START]\nhi there\n[TRANSCRIBED AUDIO END]\n\n?"
    )


def test_no_key_no_request(server, monkeypatch):
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    result = make("openai_client.OpenAIClient", server, api_key=None).make_request(request_for())
    assert result.outcome == "auth" and "openaiApiKey" in result.error and "OPENAI_API_KEY" in result.error
    assert server.requests == []


def test_stop_sequences_that_ended_the_reasoning_are_left_to_the_client(server):
    """The server ends at the first line break of the reasoning; the request goes out again without stop sequences."""

    class Thinker(ConformanceServer):
        def handle(self, handler, data):
            body = json.loads(data)
            self.requests.append({"body": body})
            message = {"content": "<think>Hm.\nAh.</think>\n\nA cat\nQuestion:"}
            if body.get("stop"):
                message = {"content": "<think>Hm."}
            answer = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
            raise faults.Response(200, answer)

    thinker = Thinker()
    try:
        result = make(OPENAI_COMPATIBLE, thinker).make_request(request_for(stop_sequences=["\n"]))
    finally:
        thinker.close()
    (completion,) = result.completions
    assert completion.text == "A cat" and completion.thinking.text == "Hm.\nAh."
    assert ["stop" in request["body"] for request in thinker.requests] == [True, False]


def test_usage_counts_reasoning_and_what_was_seen_before(server):
    result = make("openai_responses_client.OpenAIResponseClient", server).make_request(request_for())
    assert result.usage == Usage(7, 3, reasoning_tokens=1)
    result = make("anthropic_client.AnthropicMessagesClient", server).make_request(request_for())
    assert result.usage == Usage(7, 3, cached_prompt_tokens=2)
    result = make("google_genai_client.GoogleGenAIClient", server).make_request(request_for())
    assert result.usage == Usage(7, 3, reasoning_tokens=1)
