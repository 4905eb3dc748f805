"""Writes client_requests.json: what the clients of crfm-helm 0.5.16 ask their response cache for.

    PYTHONPATH=/path/with/provider/libraries /path/to/venv/with/crfm-helm/bin/python record_client_requests.py

Needs the libraries openai, anthropic, mistralai, cohere, writer-sdk, ai21 and huggingface_hub. Nothing is sent: the cache ends
every request when it is asked.
"""

import importlib
import json
from pathlib import Path

from helm.common.cache import BlackHoleCacheConfig, Cache
from helm.common.request import Request
from helm.common.response_format import ResponseFormat


class Asked(Exception):
    pass


PLAIN = {
    "model": "org/model-1",
    "prompt": "Say hi",
    "max_tokens": 5,
    "stop_sequences": ["END"],
    "random": "7",
    "temperature": 0.3,
}
MESSAGES = {
    "model": "org/model-1",
    "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}],
    "max_tokens": 500,
    "num_completions": 2,
    "temperature": 0.0,
}
SCORED = {"model": "org/model-1", "prompt": "Say hi", "max_tokens": 0, "echo_prompt": True, "temperature": 0.0}
REASONER = {"model": "openai/gpt-5-x", "prompt": "Say hi", "max_tokens": 5, "stop_sequences": ["END"]}
MINI = {"model": "openai/o3-mini", "prompt": "Say hi", "max_tokens": 5}
SCHEMA = {
    "model": "org/model-1",
    "prompt": "Say hi",
    "response_format": {"json_schema": {"type": "object", "properties": {"a": {"type": "string"}}}},
}
KEY = {"api_key": "K"}
CASES = [
    ("openai_client.OpenAIClient", KEY, [PLAIN, MESSAGES, SCHEMA]),
    ("openai_client.OpenAIClient", {**KEY, "reasoning_effort": "low"}, [REASONER, MINI]),
    ("openai_client.OpenAIClient", {**KEY, "openai_model_name": "other"}, [PLAIN]),
    ("openai_client.OpenAILegacyCompletionsClient", KEY, [SCORED, PLAIN]),
    ("openai_responses_client.OpenAIResponseClient", KEY, [PLAIN, MESSAGES]),
    ("openai_responses_client.OpenAIResponseClient", {**KEY, "reasoning_effort": "high"}, [REASONER]),
    ("anthropic_client.AnthropicMessagesClient", KEY, [PLAIN, {**MESSAGES, "num_completions": 1}]),
    ("anthropic_client.AnthropicMessagesClient", {**KEY, "thinking_budget_tokens": 100}, [PLAIN]),
    ("anthropic_client.AnthropicMessagesClient", KEY, [{**PLAIN, "model": "anthropic/claude-opus-4-6"}]),
    ("mistral_client.MistralAIClient", KEY, [PLAIN, MESSAGES]),
    ("cohere_client.CohereClient", KEY, [SCORED, {**PLAIN, "random": None}]),  # this one forgets `random`
    ("writer_client.WriterClient", KEY, [PLAIN, MESSAGES]),
    ("ai21_client.AI21Client", KEY, [PLAIN]),
    ("ai21_client.AI21ChatClient", KEY, [PLAIN]),
    ("palmyra_client.PalmyraClient", KEY, [PLAIN]),
    ("palmyra_client.PalmyraChatClient", KEY, [PLAIN]),
    ("grok_client.GrokChatClient", KEY, [PLAIN, MESSAGES]),
    ("upstage_client.UpstageChatClient", KEY, [PLAIN]),
    ("yi_client.YiChatClient", KEY, [PLAIN]),
    ("nvidia_nim_client.NvidiaNimClient", KEY, [PLAIN]),
    (
        "openrouter_client.OpenRouterClient",
        {**KEY, "model_name": "mistralai/x", "openrouter_model_name": "q/r"},
        [PLAIN],
    ),
    ("huggingface_inference_providers_client.HuggingFaceInferenceProvidersClient", KEY, [PLAIN, MESSAGES]),
]


def main():
    asked = []

    def get(self, request, compute):
        asked.append(json.loads(json.dumps(dict(request))))
        raise Asked

    Cache.get = get
    recorded = []
    for name, arguments, requests in CASES:
        module, class_name = name.split(".")
        client_class = getattr(importlib.import_module(f"helm.clients.{module}"), class_name)
        client = client_class(cache_config=BlackHoleCacheConfig(), **arguments)
        for fields in requests:
            asked.clear()
            values = dict(fields)
            if "response_format" in values:
                values["response_format"] = ResponseFormat(**values["response_format"])
            try:
                client.make_request(Request(model_deployment=fields["model"], **values))
            except Asked:
                pass
            (key,) = asked
            recorded.append({"client": name, "arguments": arguments, "request": fields, "key": key})
    path = Path(__file__).parent / "client_requests.json"
    path.write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    main()
