"""What every client sends for the options of a request, and what it refuses before anything is sent."""

from dataclasses import replace

import pytest

import conformance_faults as faults
import hosted_clients
from conformance_server import ConformanceServer
from helm.common.cache import SqliteCacheConfig
from helm.common.request import REFUSED, Request
from helm.common.request_options import (
    CHAT_TEMPLATE_KWARGS,
    PLAIN_PROMPT,
    REASONING_EFFORT,
    RESPONSE_FORMAT,
    SEED,
    TOP_P,
    RequestOptions,
)
from helm.common.response_format import ResponseFormat
from hosted_clients import CLIENTS, clients, dialect, make, profile

SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "1+1?"},
    {"role": "assistant", "content": "2"},
    {"role": "user", "content": "2+2?"},
]
_ALL_OPENAI = {SEED: ("seed", 7), TOP_P: ("top_p", 0.9), REASONING_EFFORT: ("reasoning_effort", "high")}
_SCHEMA = {RESPONSE_FORMAT: ("response_format.type", "json_schema")}
_TEMPLATE = {CHAT_TEMPLATE_KWARGS: ("chat_template_kwargs", {"enable_thinking": False})}
_TEXT = {PLAIN_PROMPT: ("prompt", "2+2?"), TOP_P: ("top_p", 0.9)}


def _but(fields, *names):
    return {name: value for name, value in fields.items() if name not in names}


_OPENAI = {**_ALL_OPENAI, **_SCHEMA}
_BY_CLASS = {
    "AI21ChatClient": {TOP_P: ("top_p", 0.9), **_SCHEMA},
    "AI21Client": {PLAIN_PROMPT: ("prompt", "2+2?"), TOP_P: ("topP", 0.9)},
    "AlephAlphaClient": _TEXT,
    "AnthropicClient": _TEXT,
    "AnthropicMessagesClient": {
        TOP_P: ("top_p", 0.9),
        REASONING_EFFORT: ("thinking", {"type": "enabled", "budget_tokens": 3000}),
        RESPONSE_FORMAT: ("output_config.format.schema.type", "object"),
    },
    "BedrockClient": {TOP_P: ("inferenceConfig.topP", 0.9)},
    "CohereChatClient": {
        SEED: ("seed", 7),
        TOP_P: ("p", 0.9),
        REASONING_EFFORT: ("thinking", {"type": "enabled", "token_budget": 3000}),
        RESPONSE_FORMAT: ("response_format.type", "json_object"),
    },
    "CohereClient": {PLAIN_PROMPT: ("prompt", "2+2?"), TOP_P: ("p", 0.9)},
    "GoogleGenAIClient": {
        SEED: ("generationConfig.seed", 7),
        TOP_P: ("generationConfig.topP", 0.9),
        REASONING_EFFORT: ("generationConfig.thinkingConfig", {"includeThoughts": True, "thinkingBudget": 24576}),
        RESPONSE_FORMAT: ("generationConfig.responseJsonSchema", SCHEMA),
    },
    "HTTPModelClient": _TEXT,
    "IbmChatClient": {**_OPENAI, **_TEMPLATE},
    "IbmTextClient": {
        PLAIN_PROMPT: ("input", "2+2?"),
        TOP_P: ("parameters.top_p", 0.9),
        SEED: ("parameters.random_seed", 7),
    },
    "MistralAIClient": {SEED: ("random_seed", 7), TOP_P: ("top_p", 0.9), **_SCHEMA},
    "OpenAILegacyCompletionsClient": {**_TEXT, SEED: ("seed", 7)},
    "OpenAICompatibleClient": {**_OPENAI, **_TEMPLATE, PLAIN_PROMPT: ("prompt", "2+2?")},
    "DeepSeekChatClient": {TOP_P: ("top_p", 0.9), **_SCHEMA},
    "NvidiaNimClient": {**_OPENAI, **_TEMPLATE},
    "PalmyraChatClient": {TOP_P: ("top_p", 0.9), **_SCHEMA},
    "UpstageChatClient": _but(_OPENAI, SEED),
    "YiChatClient": {TOP_P: ("top_p", 0.9)},
    "OpenAIResponseClient": {
        TOP_P: ("top_p", 0.9),
        REASONING_EFFORT: ("reasoning.effort", "high"),
        RESPONSE_FORMAT: ("text.format.type", "json_schema"),
    },
    "OpenRouterClient": {**_OPENAI, REASONING_EFFORT: ("reasoning.effort", "high")},
    "PalmyraClient": {PLAIN_PROMPT: ("prompt", "2+2?"), TOP_P: ("topP", 0.9)},
    "PalmyraVisionClient": {PLAIN_PROMPT: ("parts", [{"type": "Text", "value": "2+2?"}])},
    "RekaClient": {SEED: ("seed", 7), TOP_P: ("top_p", 0.9)},
    "TogetherChatClient": {**_OPENAI, **_TEMPLATE},
    "TogetherClient": {**_TEXT, SEED: ("seed", 7)},
    "TogetherCompletionClient": {**_TEXT, SEED: ("seed", 7)},
    "VertexAITextClient": {
        PLAIN_PROMPT: ("instances", [{"prompt": "2+2?"}]),
        TOP_P: ("parameters.topP", 0.9),
        SEED: ("parameters.seed", 7),
    },
    "VLLMChatClient": {**_OPENAI, **_TEMPLATE},
    "VLLMClient": {**_TEXT, SEED: ("seed", 7)},
    "WriterClient": {TOP_P: ("top_p", 0.9), **_SCHEMA},
}
_BY_CLASS["VertexAIChatClient"] = _BY_CLASS["GoogleGenAIClient"]
for _name in ("Llama", "Mistral", "Nova", "Palmyra", "Titan"):
    _BY_CLASS[f"Bedrock{_name}Client"] = _BY_CLASS["BedrockClient"]

REQUESTS = {
    SEED: {"options": RequestOptions(seed=7)},
    TOP_P: {"options": RequestOptions(), "top_p": 0.9},
    REASONING_EFFORT: {"options": RequestOptions(reasoning_effort="high")},
    RESPONSE_FORMAT: {"options": RequestOptions(), "response_format": ResponseFormat(json_schema=SCHEMA)},
    CHAT_TEMPLATE_KWARGS: {"options": RequestOptions(chat_template_kwargs={"enable_thinking": False})},
    PLAIN_PROMPT: {"options": RequestOptions(plain_prompt=True)},
}


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


@pytest.fixture(scope="module")
def service_account_file(one_server, tmp_path_factory):
    path = tmp_path_factory.mktemp("google") / "key.json"
    hosted_clients.write_service_account(path, one_server)
    return path


@pytest.fixture(autouse=True)
def google_account(request, monkeypatch):
    names = [str(value) for value in getattr(getattr(request.node, "callspec", None), "params", {}).values()]
    if any(name in CLIENTS and profile(name) == "vertex" for name in names):
        path = request.getfixturevalue("service_account_file")
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))


def expected(name, option):
    """Where the body has an option, and its value; None if the client has no field for it."""
    class_name = name.partition(" ")[0].rpartition(".")[2]
    return _BY_CLASS.get(class_name, _OPENAI).get(option)


def ask(**fields):
    values = {"model": "org/model-1", "model_deployment": "org/model-1", "prompt": "2+2?", "max_tokens": 4000}
    return Request(**{**values, "temperature": 0.5, **fields})


def at(body, path):
    for key in path.split("."):
        body = body[key]
    return body


@pytest.mark.parametrize("option", list(REQUESTS))
@pytest.mark.parametrize("name", list(CLIENTS))
def test_an_option_is_sent_where_the_protocol_has_it_or_refused(server, name, option):
    server.strict = not any(word in name for word in ("OpenAICompatible", "NvidiaNim"))  # the profile is OpenAI's own
    result = make(name, server).make_request(ask(**REQUESTS[option]))
    wanted = expected(name, option)
    if wanted is None:
        assert not result.success and result.outcome == REFUSED, result
        words = "takes chat messages only" if option == PLAIN_PROMPT else option
        assert words in result.error and "\n" not in result.error
        assert server.requests == []
        return
    assert result.success, result.error
    assert at(server.bodies[-1], wanted[0]) == wanted[1]


@pytest.mark.parametrize("name", [name for name in CLIENTS if dialect(name) != "http_model"])
def test_what_is_not_asked_for_is_not_sent(server, name):
    """Requests without options are those of today, and with empty ones lack no more than the `top_k` of HELM."""
    client = make(name, server)
    assert client.make_request(ask()).success
    assert client.make_request(ask(options=RequestOptions())).success
    plain, empty = server.bodies
    for path in ("top_k", "k", "generationConfig.topK", "parameters.topK"):
        *parents, key = path.split(".")
        holder = plain
        for parent in parents:
            holder = holder.get(parent, {})
        holder.pop(key, None)
    assert plain == empty or "Lite" in name


@pytest.mark.parametrize("name", clients("messages"))
def test_a_conversation_is_sent_in_the_dialect(server, name):
    client = make(name, server)
    assert client.takes_messages("org/model-1")
    result = client.make_request(ask(prompt="", messages=MESSAGES, options=RequestOptions()))
    assert result.success, result.error
    body = server.bodies[-1]
    kind = dialect(name)
    turns = body.get("messages") or body.get("contents") or body.get("input")
    if kind == "anthropic":
        assert body["system"] == "Be brief." and [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    elif kind == "gemini":
        assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
        assert [turn["role"] for turn in turns] == ["user", "model", "user"]
    elif kind == "bedrock":
        assert body["system"] == [{"text": "Be brief."}] and len(turns) == 3
    else:
        assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("name", [name for name in CLIENTS if name not in clients("messages")])
def test_clients_of_text_endpoints_say_so(server, name):
    assert not make(name, server).takes_messages("org/model-1")


@pytest.mark.parametrize("name", list(CLIENTS))
def test_fields_of_the_provider_s_own_are_merged_into_the_body(server, name):
    extra = {"safety": {"level": 2}, "generationConfig": {"mediaResolution": "LOW"}}
    result = make(name, server).make_request(ask(options=RequestOptions(extra_body=extra)))
    assert result.success, result.error
    body = server.bodies[-1]
    assert body["safety"] == {"level": 2} and body["generationConfig"]["mediaResolution"] == "LOW"
    if dialect(name) == "gemini":
        assert body["generationConfig"]["maxOutputTokens"] == 4000


def test_options_are_part_of_the_cache_key_only_when_they_are_set(server, tmp_path):
    config = SqliteCacheConfig(str(tmp_path / "cache.sqlite"))
    name = "openai_compatible_client.OpenAICompatibleClient vllm"
    client = make(name, server, config)
    requests = [
        ask(),
        ask(options=RequestOptions()),
        ask(options=RequestOptions(split_thinking=True)),
        ask(options=RequestOptions(seed=1)),
        ask(options=RequestOptions(seed=2)),
        ask(options=RequestOptions(seed=1), random="1"),
    ]
    assert [client.make_request(request).cached for request in requests] == [False, True, True, False, False, False]
    assert [body.get("seed") for body in server.bodies] == [None, 1, 2, 2]
    assert client.make_request(requests[3]).cached


def test_further_completions_have_seeds_of_their_own(server):
    client = make("reka_client.RekaClient", server)
    assert len(client.make_request(ask(num_completions=3, options=RequestOptions(seed=5))).completions) == 3
    again = ask(num_completions=3, random="1", options=RequestOptions(seed=5))
    assert len(client.make_request(again).completions) == 3
    assert [body["seed"] for body in server.bodies] == [5, 6, 7, 8, 9, 10]


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        ("claude-sonnet-4-20250514", {"thinking": {"type": "enabled", "budget_tokens": 3000}}),
        (
            "claude-opus-4-7",
            {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "high"}},
        ),
    ],
)
def test_claude_thinks_as_its_version_can(server, model, wanted):
    client = make("anthropic_client.AnthropicMessagesClient", server)
    request = ask(model=f"anthropic/{model}", options=RequestOptions(reasoning_effort="high"))
    assert client.make_request(request).success
    (body,) = server.bodies
    assert {name: body.get(name) for name in wanted} == wanted
    assert not {"temperature", "top_p", "top_k"} & set(body)


def test_an_effort_of_none_stops_thinking(server):
    client = make("anthropic_client.AnthropicMessagesClient", server, thinking_budget_tokens=2000)
    assert client.make_request(ask(options=RequestOptions(reasoning_effort="none"))).success
    assert "thinking" not in server.bodies[0]


@pytest.mark.parametrize("max_tokens", [1, 1024])
def test_thinking_needs_room(server, max_tokens):
    for name in ("anthropic_client.AnthropicMessagesClient", "cohere_client.CohereChatClient"):
        request = ask(max_tokens=max_tokens, options=RequestOptions(reasoning_effort="low"))
        result = make(name, server).make_request(request)
        assert f"max_tokens={max_tokens} leaves no room for an answer" in result.error
    assert server.requests == []


def test_gemini_3_takes_levels(server):
    client = make("google_genai_client.GoogleGenAIClient", server)
    request = ask(model="google/gemini-3-pro", options=RequestOptions(reasoning_effort="low"))
    assert client.make_request(request).success
    config = server.bodies[0]["generationConfig"]["thinkingConfig"]
    assert config == {"includeThoughts": True, "thinkingLevel": "low"}
    result = client.make_request(replace(request, options=RequestOptions(reasoning_effort="max")))
    assert "reasoning_effort takes minimal, low, medium, high, not 'max'" in result.error


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("anthropic.claude-sonnet-4", {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        ("openai.gpt-oss-120b", {"reasoning_effort": "low"}),
        ("amazon.nova-2-lite", {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}}),
    ],
)
def test_bedrock_has_the_effort_where_the_model_wants_it(server, model, fields):
    client = make("bedrock_client.BedrockClient", server, bedrock_model_id=model)
    assert client.make_request(ask(options=RequestOptions(reasoning_effort="low"))).success
    assert server.bodies[0]["additionalModelRequestFields"] == fields


def test_bedrock_refuses_an_effort_whose_field_is_unknown(server):
    client = make("bedrock_client.BedrockClient", server)
    result = client.make_request(ask(options=RequestOptions(reasoning_effort="low")))
    assert "which field of Bedrock holds the reasoning_effort of" in result.error and server.requests == []


@pytest.mark.parametrize("name", ["openai_client.OpenAIClient", "openai_responses_client.OpenAIResponseClient"])
def test_reasoning_models_of_openai_take_no_top_p(server, name):
    result = make(name, server).make_request(ask(model="openai/gpt-5", top_p=0.9, options=RequestOptions()))
    assert "takes no top_p" in result.error and server.requests == []


def test_an_effort_takes_precedence_over_that_of_the_deployment(server):
    client = make("openai_client.OpenAIClient", server, reasoning_effort="low")
    assert client.make_request(ask(model="openai/o3", options=RequestOptions(reasoning_effort="high"))).success
    assert server.bodies[0]["reasoning_effort"] == "high"


@pytest.mark.parametrize("name", clients("thinking"))
def test_thinking_comes_back_in_every_dialect(server, name):
    server.faults = [faults.THINKING]
    options = RequestOptions(split_thinking=True)
    (output,) = make(name, server).make_request(ask(options=options)).completions
    assert output.text == "hi there" and output.thinking.text == "first I think"


@pytest.mark.parametrize("name", [name for name in clients("messages") if dialect(name) == "chat"])
def test_thinking_in_tags_is_separated_when_asked(server, name):
    server.text = "<think>\nTwo and two.\n</think>\n\n4"
    client = make(name, server)
    (output,) = client.make_request(ask(options=RequestOptions(split_thinking=True))).completions
    assert output.text == "4" and output.thinking.text == "Two and two."


def test_a_plain_prompt_goes_to_the_completions_route(server):
    client = make("openai_compatible_client.OpenAICompatibleClient vllm", server)
    assert client.make_request(ask(options=RequestOptions(plain_prompt=True))).success
    assert server.requests[0]["path"].endswith("/v1/completions") and server.bodies[0]["prompt"] == "2+2?"


@pytest.mark.parametrize("options", [{"reasoning_effort": "low"}, {"chat_template_kwargs": {"a": 1}}])
def test_a_plain_prompt_has_no_options_of_the_chat(server, options):
    client = make("openai_compatible_client.OpenAICompatibleClient vllm", server)
    result = client.make_request(ask(options=RequestOptions(plain_prompt=True, **options)))
    assert f"{next(iter(options))} needs the route /chat/completions" in result.error and server.requests == []


def test_the_completions_route_has_no_options_of_the_chat(server):
    client = make("openai_compatible_client.OpenAICompatibleClient vllm", server, route="completions")
    result = client.make_request(ask(options=RequestOptions(reasoning_effort="low")))
    assert "needs the route /chat/completions" in result.error and server.requests == []


def test_a_request_says_what_was_asked_and_with_which_options():
    request = ask(prompt="", messages=MESSAGES)
    assert request.question == "2+2?" and request.text == "Be brief.\n1+1?\n2\n2+2?"
    assert ask().question == ask().text == "2+2?"
    assert ask(top_p=0.5).option_names == [], "HELM has top_p, too"
    options = RequestOptions(seed=0, plain_prompt=False, split_thinking=True)
    assert ask(top_p=0.5, options=options).option_names == [SEED, TOP_P]
