"""Every client that asks over HTTP, with the provider that the conformance server is for it."""

import json
from importlib import import_module

import pytest

import conformance_faults as faults
from conformance_profiles import PROFILES
from helm.common.cache import BlackHoleCacheConfig
from helm.common.request import Request

KEY = "sk-very-secret"


def _openai_like(profile):
    return {"api_key": KEY, "base_url": f"{{origin}}/{profile}/v1"}


def _hosted(profile):
    return {"api_key": KEY, "base_url": f"{{origin}}/{profile}"}


_WATSONX = {
    **_hosted("watsonx"),
    "token_url": "{origin}/tokens",
    "region": "Dallas",
    "watsonx_model_name": "m",
    "project_id": "p",
}

# Class below helm.clients (and what tells two entries apart) -> arguments; {origin} is the server's address.
CLIENTS = {
    "ai21_client.AI21ChatClient": _openai_like("ai21"),
    "ai21_client.AI21Client": {"api_key": KEY, "url": "{origin}/ai21/studio/v1"},
    "aleph_alpha_client.AlephAlphaClient": _hosted("alephalpha"),
    "anthropic_client.AnthropicClient": _hosted("anthropic"),
    "anthropic_client.AnthropicMessagesClient": _hosted("anthropic"),
    "anthropic_client.AnthropicMessagesClient stream": {**_hosted("anthropic"), "stream": True},
    "azure_openai_client.AzureOpenAIClient": {"api_key": KEY, "endpoint": "{origin}/azure"},
    "bedrock_client.BedrockClient": {**_hosted("bedrock"), "bedrock_model_id": "some.model-v1:0"},
    "bedrock_client.BedrockLlamaClient": _hosted("bedrock"),
    "bedrock_client.BedrockMistralClient": _hosted("bedrock"),
    "bedrock_client.BedrockNovaClient": _hosted("bedrock"),
    "bedrock_client.BedrockPalmyraClient": _hosted("bedrock"),
    "bedrock_client.BedrockTitanClient": _hosted("bedrock"),
    "cohere_client.CohereChatClient": _hosted("cohere"),
    "cohere_client.CohereClient": _hosted("cohere"),
    "google_genai_client.GoogleGenAIClient": {
        "api_key": KEY,
        "base_url": "{origin}/google/v1beta",
        "genai_use_vertexai": False,
    },
    "google_genai_client.GoogleGenAIClient vertex": {
        "project_id": "p",
        "base_url": "{origin}/vertex/v1",
        "genai_use_vertexai": True,
    },
    "grok_client.GrokChatClient": _openai_like("xai"),
    "http_model_client.HTTPModelClient": {"base_url": "{origin}/httpmodel", "do_cache": True},
    "huggingface_inference_providers_client.HuggingFaceInferenceProvidersClient": _openai_like("tgi"),
    "ibm_client.IbmChatClient": _WATSONX,
    "ibm_client.IbmTextClient": _WATSONX,
    "litellm_client.LiteLLMCompletionClient": _hosted("openai"),
    "mistral_client.MistralAIClient": _openai_like("mistral"),
    "openai_client.OpenAIClient": _openai_like("openai"),
    "openai_client.OpenAILegacyCompletionsClient": _openai_like("openai"),
    "openai_compatible_client.OpenAICompatibleClient llamacpp": _openai_like("llamacpp"),
    "openai_compatible_client.OpenAICompatibleClient ollama": _openai_like("ollama"),
    "openai_compatible_client.OpenAICompatibleClient openai": _openai_like("openai"),
    "openai_compatible_client.OpenAICompatibleClient tgi": _openai_like("tgi"),
    "openai_compatible_client.OpenAICompatibleClient vllm": _openai_like("vllm"),
    "openai_hosts.DeepSeekChatClient": _openai_like("deepseek"),
    "openai_hosts.GroqChatClient": _openai_like("groq"),
    "openai_hosts.NvidiaNimClient": _openai_like("openai"),
    "openai_hosts.PalmyraChatClient": _openai_like("palmyra"),
    "openai_hosts.UpstageChatClient": _openai_like("openai"),
    "openai_hosts.YiChatClient": _openai_like("openai"),
    "openai_responses_client.OpenAIResponseClient": _openai_like("openai"),
    "openrouter_client.OpenRouterClient": _openai_like("openrouter"),
    "palmyra_client.PalmyraClient": _hosted("writer"),
    "reka_client.RekaClient": _hosted("reka"),
    "together_client.TogetherChatClient": _openai_like("together"),
    "together_client.TogetherClient": _openai_like("together"),
    "together_client.TogetherCompletionClient": _openai_like("together"),
    "vertexai_client.VertexAIChatClient": {"project_id": "p", "base_url": "{origin}/vertex/v1"},
    "vertexai_client.VertexAITextClient": {"project_id": "p", "base_url": "{origin}/vertex/v1"},
    "vision_language.palmyra_vision_client.PalmyraVisionClient": {
        "api_key": KEY,
        "endpoint": "{origin}/writer/vision",
    },
    "vllm_client.VLLMChatClient": {"base_url": "{origin}/vllm/v1"},
    "vllm_client.VLLMClient": {"base_url": "{origin}/vllm/v1"},
    "writer_client.WriterClient": _openai_like("writer"),
}

TESTED_ELSEWHERE = {
    "anthropic_client.AnthropicLegacyClient": "sends nothing",
    "chat_completions_client.ChatCompletionsClient": "a base",
    "http_client.HTTPClient": "a base",
    "http_client.ProviderClient": "a base",
    "ibm_client.IbmClient": "a base",
    "megatron_client.MegatronClient": "test_side_services.py: a protocol of its own",
    "perspective_api_client.PerspectiveAPIClient": "test_perspective_api_client.py: it scores texts",
    **{
        f"stanfordhealthcare_{name}": "test_stanfordhealthcare_clients.py: gateways of one organization"
        for name in [
            "azure_openai_client.StanfordHealthCareAzureOpenAIClient",
            "claude_client.StanfordHealthCareClaudeClient",
            "google_client.StanfordHealthCareGoogleClient",
            "http_model_client.StanfordHealthCareHTTPModelClient",
            "openai_client.StanfordHealthCareOpenAIClient",
            "shc_openai_client.StanfordHealthCareSHCOpenAIClient",
        ]
    },
    "text_api_client.TextAPIClient": "a base",
    "vllm_granite_thinking_client.VLLMGraniteThinkingClient": "test_side_services.py: answers of its own form",
}

_DIALECTS = {
    "ai21_client.AI21Client": "ai21_text",
    "aleph_alpha_client.AlephAlphaClient": "aleph_alpha",
    "anthropic_client.AnthropicClient": "anthropic_text",
    "anthropic_client.AnthropicMessagesClient": "anthropic",
    "cohere_client.CohereChatClient": "cohere",
    "cohere_client.CohereClient": "cohere_text",
    "google_genai_client.GoogleGenAIClient": "gemini",
    "http_model_client.HTTPModelClient": "http_model",
    "ibm_client.IbmChatClient": "watsonx_chat",
    "ibm_client.IbmTextClient": "watsonx_text",
    "openai_client.OpenAILegacyCompletionsClient": "completions",
    "openai_responses_client.OpenAIResponseClient": "responses",
    "palmyra_client.PalmyraClient": "palmyra_text",
    "reka_client.RekaClient": "reka",
    "together_client.TogetherClient": "completions",
    "together_client.TogetherCompletionClient": "completions",
    "vertexai_client.VertexAIChatClient": "gemini",
    "vertexai_client.VertexAITextClient": "vertex_text",
    "vision_language.palmyra_vision_client.PalmyraVisionClient": "palmyra_vision",
    "vllm_client.VLLMClient": "completions",
}
"""Where it is not OpenAI's chat, or Bedrock's."""


def dialect(name):
    class_name = name.partition(" ")[0]
    return "bedrock" if class_name.startswith("bedrock") else _DIALECTS.get(class_name, "chat")


def profile(name):
    args = CLIENTS[name]
    return (args.get("base_url") or args.get("endpoint") or args["url"]).split("/")[1]


_TEXTS = {"completions", "ai21_text", "aleph_alpha", "anthropic_text", "cohere_text", "http_model", "palmyra_text"}
_TEXTS |= {"palmyra_vision", "vertex_text", "watsonx_text"}
_BARE = {"palmyra_text", "palmyra_vision", "vertex_text", "http_model"}
_THINKERS = {"chat", "responses", "anthropic", "gemini", "cohere", "bedrock"}

ABILITIES = {
    "messages": lambda d: d not in _TEXTS,
    "thinking": lambda d: d in _THINKERS,
    "tools": lambda d: d in _THINKERS | {"watsonx_chat"},
    "pictures": lambda d: d in _THINKERS | {"aleph_alpha", "palmyra_vision", "reka", "watsonx_chat"},
    "finish_reason": lambda d: d not in _BARE,
    "usage": lambda d: d not in _BARE | {"ai21_text", "anthropic_text", "cohere_text"},
    "filter": lambda d: d in _THINKERS | {"completions", "cohere_text", "vertex_text"},
    "refusal": lambda d: d in {"chat", "responses", "anthropic", "watsonx_chat"},
    "stop": lambda d: d != "responses",
    "echo": lambda d: d in {"completions", "cohere_text"},
    "many": lambda d: True,
}


def clients(ability=None):
    """The names of those that can do something."""
    return [name for name in CLIENTS if ability is None or ABILITIES[ability](dialect(name))]


def streaming_clients():
    """Those that read a stream, asked for or not."""
    return [name for name in CLIENTS if dialect(name) in ("chat", "completions") or name.endswith(" stream")]


FAILURES = {
    faults.RATE_LIMIT: "rate-limited",
    faults.SERVER_ERROR: "server",
    faults.UNAVAILABLE: "server",
    faults.OVERLOADED: "server",
    faults.HTML: "server",
    faults.RESET: "server",
    faults.HALF_BODY: "server",
    faults.LOGIN_PAGE: "malformed",
    faults.BROKEN_JSON: "malformed",
    faults.EMPTY: "malformed",
    faults.NO_OBJECT: "malformed",
    faults.ERROR_OBJECT: "server",
    faults.ERROR_BESIDE: "server",
    faults.ERROR_INSIDE: "server",
    faults.ERROR_REASON: "server",
    faults.DEEP: "malformed",
    faults.NULL_CONTENT: "malformed",
    faults.NO_CHOICES: "malformed",
    faults.AUTH: "auth",
    faults.NO_CREDIT: "auth",
    faults.BAD_REQUEST: "refused",
    faults.TOO_LONG: "refused",
    faults.FILTERED: "filtered",
    faults.FILTERED_PROMPT: "filtered",
}


def failures(name):
    """What can go wrong with a client -> its outcome."""
    found = dict(FAILURES)
    if PROFILES[profile(name)].statuses.get("overloaded") == 429:
        found.update({faults.UNAVAILABLE: "rate-limited", faults.OVERLOADED: "rate-limited"})
    if not ABILITIES["filter"](dialect(name)):
        del found[faults.FILTERED]
    if profile(name) not in ("openai", "azure"):
        del found[faults.FILTERED_PROMPT]
    if dialect(name) not in faults.ERROR_REASONS:
        del found[faults.ERROR_REASON]
    if name.endswith("stream"):
        del found[faults.NULL_CONTENT]  # a stream without content is an empty answer
        for fault in (faults.ERROR_BESIDE, faults.ERROR_INSIDE):  # in a stream they are events: STREAM_ERROR
            del found[fault]
    return found


def make(name, server, cache_config=None, **further):
    module, _, class_name = name.partition(" ")[0].rpartition(".")
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


def write_service_account(path, server):
    """A key of Google; its tokens come from the server. Skips the test where the packages are missing."""
    rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa")
    pytest.importorskip("google.auth")
    from cryptography.hazmat.primitives import serialization as form

    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()).decode()
    account = {
        "type": "service_account",
        "project_id": "p",
        "private_key_id": "1",
        "private_key": pem,
        "client_email": "tester@p.iam.gserviceaccount.com",
        "client_id": "1",
        "token_uri": f"{server.origin}/tokens/token",
    }
    path.write_text(json.dumps(account))
