"""Every client of a hosted model against a real server that misbehaves: what is said, and what is never an answer."""

import time
from importlib import import_module

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.media_object import MediaObject, MultimediaObject
from helm.common.request import OUTCOMES, Request, Usage

KEY = "sk-very-secret"
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20

# Class below helm.clients -> arguments; {origin} is the server's address.
CLIENTS = {
    "openai_client.OpenAIClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "openai_client.OpenAILegacyCompletionsClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "openai_responses_client.OpenAIResponseClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "openai_compatible_client.OpenAICompatibleClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "azure_openai_client.AzureOpenAIClient": {"api_key": KEY, "endpoint": "{origin}"},
    "vllm_client.VLLMChatClient": {"base_url": "{origin}/v1"},
    "vllm_client.VLLMClient": {"base_url": "{origin}/v1"},
    "together_client.TogetherChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "together_client.TogetherClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "together_client.TogetherCompletionClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "mistral_client.MistralAIClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "grok_client.GrokChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "groq_client.GroqChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "deepseek_client.DeepSeekChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "openrouter_client.OpenRouterClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "writer_client.WriterClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "palmyra_client.PalmyraChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "upstage_client.UpstageChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "yi_client.YiChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "nvidia_nim_client.NvidiaNimClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "ai21_client.AI21ChatClient": {"api_key": KEY, "base_url": "{origin}/v1"},
    "huggingface_inference_providers_client.HuggingFaceInferenceProvidersClient": {
        "api_key": KEY,
        "base_url": "{origin}/v1",
    },
    "litellm_client.LiteLLMCompletionClient": {"api_key": KEY, "base_url": "{origin}"},
    "anthropic_client.AnthropicMessagesClient": {"api_key": KEY, "base_url": "{origin}"},
    "anthropic_client.AnthropicMessagesClient stream": {"api_key": KEY, "base_url": "{origin}", "stream": True},
    "google_genai_client.GoogleGenAIClient": {
        "api_key": KEY,
        "base_url": "{origin}/v1beta",
        "genai_use_vertexai": False,
    },
    "cohere_client.CohereChatClient": {"api_key": KEY, "base_url": "{origin}"},
    "bedrock_client.BedrockNovaClient": {"api_key": KEY, "base_url": "{origin}"},
}

TEXT_ONLY = {
    "openai_client.OpenAILegacyCompletionsClient",
    "vllm_client.VLLMClient",
    "together_client.TogetherClient",
    "together_client.TogetherCompletionClient",
}
HAS_STREAMS = {name for name, args in CLIENTS.items() if "base_url" in args and "/v1" in args["base_url"]} - TEXT_ONLY

FAILURES = {
    faults.RATE_LIMIT: "rate-limited",
    faults.SERVER_ERROR: "server",
    faults.OVERLOADED: "server",
    faults.HTML: "server",
    faults.RESET: "server",
    faults.HALF_BODY: "server",
    faults.BROKEN_JSON: "malformed",
    faults.EMPTY: "malformed",
    faults.ERROR_OBJECT: "server",
    faults.NULL_CONTENT: "malformed",
    faults.NO_CHOICES: "malformed",
    faults.AUTH: "auth",
    faults.NO_CREDIT: "auth",
    faults.BAD_REQUEST: "refused",
    faults.FILTERED: "filtered",
}


@pytest.fixture(scope="module")
def one_server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server):
    one_server.reset()
    return one_server


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr("helm.clients.limiter._FIRST_PAUSE_S", 0.01)


@pytest.fixture(params=CLIENTS)
def name(request):
    return request.param


def make(name, server, cache_config=None, **further):
    module, class_name = name.partition(" ")[0].split(".")
    args = {
        key: value.format(origin=server.origin) if isinstance(value, str) else value
        for key, value in CLIENTS[name].items()
    }
    client_class = getattr(import_module(f"helm.clients.{module}"), class_name)
    return client_class(cache_config=cache_config or BlackHoleCacheConfig(), **{**args, **further})


def request_for(**fields):
    return Request(
        model="org/model-1",
        model_deployment="host/model-1",
        **{"prompt": "Say hi", "max_tokens": 5, "temperature": 0.0, **fields},
    )


def test_an_answer(name, server):
    result = make(name, server).make_request(request_for())
    assert result.success and result.outcome == "ok" and not result.cached, result.error
    (completion,) = result.completions
    assert completion.text == "hi there"
    assert completion.finish_reason == {"reason": "stop"}
    assert result.usage is not None and result.usage.completion_tokens == 3 and result.usage.prompt_tokens == 7
    assert 0 < result.request_time < 5 and result.request_datetime > 1_700_000_000


@pytest.mark.parametrize("fault", FAILURES)
def test_what_is_no_answer_has_an_outcome_and_is_not_cached(name, server, fault, tmp_path):
    if name in TEXT_ONLY and fault == faults.FILTERED:
        pytest.skip("texts are not filtered")
    if name.endswith("stream") and fault == faults.NULL_CONTENT:
        pytest.skip("a stream without content is an empty answer")
    server.faults = [fault]
    client = make(name, server, SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    result = client.make_request(request_for())
    assert not result.success and result.completions == []
    assert result.outcome == FAILURES[fault], result.error
    assert result.outcome in OUTCOMES
    assert "http://127.0.0.1:" in result.error and KEY not in result.error
    assert result.error_flags.is_fatal is (fault != faults.FILTERED)
    if FAILURES[fault] != "auth":
        server.faults = [faults.OK]
        assert client.make_request(request_for()).success, "a failure was cached"


def test_a_server_that_hangs(name, server, monkeypatch):
    monkeypatch.setenv("HELM_REQUEST_TIMEOUT_S", "0.2")
    server.faults = [faults.HANG]
    started = time.monotonic()
    result = make(name, server).make_request(request_for())
    assert result.outcome == "timed-out" and "no answer within 0.2 s" in result.error
    assert time.monotonic() - started < 4


def test_what_may_pass_is_tried_again(name, server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "3")
    monkeypatch.setattr("helm.clients.http_endpoint.sleep_until_stopped", lambda seconds: None)
    server.faults = [faults.SERVER_ERROR, faults.RATE_LIMIT, faults.BROKEN_JSON, faults.HALF_BODY, faults.OK]
    result = make(name, server).make_request(request_for())
    assert result.success, result.error
    assert len(server.requests) == 5


def test_retry_after_is_honoured(name, server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "1")
    server.faults = [faults.RATE_LIMIT_RETRY_AFTER, faults.OK]
    started = time.monotonic()
    assert make(name, server).make_request(request_for()).success
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize("fault", [faults.BAD_REQUEST, faults.FILTERED, faults.AUTH])
def test_what_will_not_pass_is_not_tried_again(name, server, fault, monkeypatch):
    if name in TEXT_ONLY and fault == faults.FILTERED:
        pytest.skip("texts are not filtered")
    monkeypatch.delenv("HELM_RETRIES")
    server.faults = [fault]
    assert not make(name, server).make_request(request_for()).success
    assert len(server.requests) == 1


def test_a_key_that_is_not_accepted_stops_the_endpoint(name, server):
    server.faults = [faults.AUTH]
    client = make(name, server)
    assert client.make_request(request_for()).outcome == "auth"
    again = client.make_request(request_for(prompt="another"))
    assert again.outcome == "auth" and "Nothing more is sent" in again.error
    assert len(server.requests) == 1


def test_missing_usage_and_unknown_fields_do_not_matter(name, server):
    server.faults = [faults.NO_USAGE, faults.EXTRA_FIELDS]
    client = make(name, server)
    result = client.make_request(request_for())
    assert result.success and result.usage is None
    assert client.make_request(request_for(prompt="another")).success


def test_an_answer_that_was_cut_says_so(name, server):
    server.faults = [faults.LENGTH]
    result = make(name, server).make_request(request_for())
    assert result.success and result.outcome == "truncated"
    assert result.completions[0].finish_reason == {"reason": "length"}


def test_reasoning_is_apart_from_the_answer(name, server):
    if name in TEXT_ONLY:
        pytest.skip("a text has no parts")
    server.faults = [faults.THINKING]
    (completion,) = make(name, server).make_request(request_for()).completions
    assert completion.text == "hi there" and completion.thinking.text == "first I think"


def test_stop_sequences_are_applied_to_the_answer(name, server):
    if "Response" in name:
        pytest.skip("this API takes no stop sequences")
    server.text = "one END two"
    server.thinking = "I am at the END of my wits"
    server.faults = [faults.OK if name in TEXT_ONLY else faults.THINKING]
    (completion,) = make(name, server).make_request(request_for(stop_sequences=["END"])).completions
    assert completion.text == "one "
    if completion.thinking is not None:
        assert completion.thinking.text == server.thinking


def test_the_answer_is_cached_and_further_completions_are_further_draws(name, server, tmp_path):
    client = make(name, server, SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    first = client.make_request(request_for(num_completions=3))
    num_sent = len(server.requests)
    second = client.make_request(request_for(num_completions=3))
    assert len(first.completions) == 3 and first.completions == second.completions
    assert (first.cached, second.cached) == (False, True) and len(server.requests) == num_sent
    assert second.request_time == first.request_time and second.usage == first.usage
    assert not client.make_request(request_for(num_completions=3, random="1")).cached


def test_messages_are_sent(name, server):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    result = make(name, server).make_request(request_for(prompt="", messages=messages))
    if name in TEXT_ONLY:
        assert result.outcome == "refused" and server.requests == []
        return
    assert result.success
    assert all(text in str(server.bodies[0]) for text in ("Be brief.", "Hi"))


def test_a_picture_is_sent(name, server, tmp_path):
    if name in TEXT_ONLY:
        pytest.skip("text only")
    path = tmp_path / "cat.png"
    path.write_bytes(PNG)
    prompt = MultimediaObject([MediaObject("image/jpeg", location=str(path)), MediaObject("text/plain", text="What?")])
    result = make(name, server).make_request(request_for(prompt="", multimodal_prompt=prompt))
    assert result.success, result.error
    sent = str(server.bodies[0])
    assert "What?" in sent and "iVBORw0KGgo" in sent and "png" in sent and "jpeg" not in sent


def test_calls_of_tools_come_back(name, server):
    if name in TEXT_ONLY or name.startswith("writer"):
        pytest.skip("no tools")
    server.faults = [faults.TOOL_CALL]
    parameters = {"type": "object", "properties": {"word": {"type": "string"}}}
    tools = [{"type": "function", "function": {"name": "look_up", "parameters": parameters}}]
    result = make(name, server).make_request(request_for(tools=tools))
    assert result.success, result.error
    assert result.completions[0].tool_calls == [{"id": "c1", "name": "look_up", "arguments": {"word": "cat"}}]
    assert "look_up" in str(server.bodies[0])


@pytest.mark.parametrize("name", sorted(HAS_STREAMS - {n for n in CLIENTS if "Response" in n or "genai" in n}))
def test_a_stream_though_nobody_asked(name, server):
    server.faults = [faults.STREAM]
    result = make(name, server).make_request(request_for())
    assert result.success and result.completions[0].text == "hi there", result.error


@pytest.mark.parametrize("name", sorted(TEXT_ONLY))
def test_log_probabilities_of_the_prompt(name, server):
    result = make(name, server).make_request(request_for(prompt="Say hi again", echo_prompt=True, max_tokens=0))
    assert result.success, result.error
    (completion,) = result.completions
    assert completion.text == "Say hi again"
    assert [token.logprob for token in completion.tokens] == [0.0, -0.5, -0.5]
    assert completion.logprob == -1.0


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
    assert asked["body"]["model"] == "gpt-4o" and asked["body"]["messages"][0]["content"] == "hi there\n?"


def test_no_key_no_request(server, monkeypatch):
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    result = make("openai_client.OpenAIClient", server, api_key=None).make_request(request_for())
    assert result.outcome == "auth" and "openaiApiKey" in result.error and "OPENAI_API_KEY" in result.error
    assert server.requests == []


def test_stop_sequences_that_ended_the_reasoning_are_left_to_the_client(server):
    """The server ends at the first line break of the reasoning; the request goes out again without stop sequences."""
    import json

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
        result = make("openai_compatible_client.OpenAICompatibleClient", thinker).make_request(
            request_for(stop_sequences=["\n"])
        )
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
