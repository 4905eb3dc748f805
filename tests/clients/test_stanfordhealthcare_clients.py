"""The deployments of Stanford Health Care send what crfm-helm 0.5.16 sends to its gateways, and say what they lack elsewhere."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.clients.auto_client import AutoClient
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.request import Request
from registries_support import empty_registries

KEY = "sk-very-secret"
GATEWAY_HEADER = "ocp-apim-subscription-key"
CHAT = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]}
CLAUDE = {"content": [{"type": "text", "text": "hello\nand more"}]}
GOOGLE = [
    {"candidates": [{"content": {"parts": [{"text": "hel"}]}}]},
    {"candidates": [{"content": {"parts": [{"text": "lo"}]}, "finishReason": "STOP"}]},
]
PROMPT = "Question: 1+1?\nAnswer:"


def chat_body(model, **others):
    sampling = {"temperature": 0.5, "top_p": 0.9, "frequency_penalty": 0, "presence_penalty": 0, "max_tokens": 7}
    return {
        "model": model,
        "messages": [{"role": "user", "content": PROMPT}],
        "n": 1,
        "stop": ["\n"],
        **sampling,
        **others,
    }


GENERATION = {
    "temperature": 0.5,
    "topP": 0.9,
    "topK": 1,
    "candidateCount": 1,
    "maxOutputTokens": 7,
    "stopSequences": ["\n"],
}

# Deployment -> the answer, and what crfm-helm sends: path, headers with the key, body.
SENT = {
    "stanfordhealthcare/gpt-4o-2024-05-13": (
        CHAT,
        "/openai/deployments/gpt-4o/chat/completions?api-version=2023-05-15",
        {"api-key", GATEWAY_HEADER},
        chat_body("gpt-4o"),
    ),
    "stanfordhealthcare/gpt-4.1-2025-04-14": (
        CHAT,
        "/openai-eastus2/deployments/gpt-4.1/chat/completions?api-version=2025-01-01-preview",
        {"api-key", GATEWAY_HEADER},
        chat_body("gpt-4.1"),
    ),
    "stanfordhealthcare/llama-3.3-70b-instruct": (
        CHAT,
        "/llama3370b/v1/chat/completions",
        {GATEWAY_HEADER},
        chat_body("llama-3.3-70b-instruct"),
    ),
    "stanfordhealthcare_shc/gpt-4o-2024-05-13": (
        CHAT,
        "/openai/deployments/gpt-4o-2024-05-13/chat/completions?api-version=2024-08-01-preview",
        {"api-key"},
        chat_body("gpt-4o-2024-05-13"),
    ),
    "stanfordhealthcare/claude-3-5-sonnet-20241022": (
        CLAUDE,
        "/Claude35Sonnetv2/awssig4fa",
        {GATEWAY_HEADER},
        {
            "model_id": "anthropic.claude-3-5-sonnet-20241022-v2:0",
            "prompt_text": PROMPT,
            "max_tokens": 7,
            "temperature": 0.5,
        },
    ),
    "stanfordhealthcare/gemini-1.5-pro-001": (
        GOOGLE,
        "/gcpgemini/apim-gcp-oauth-fa",
        {GATEWAY_HEADER},
        {"contents": {"role": "user", "parts": {"text": PROMPT}}, "generation_config": GENERATION},
    ),
}


class Gateway(ThreadingHTTPServer):
    """Answers every request with `answer`, and keeps what it was sent."""

    def __init__(self):
        self.answer, self.sent = None, []
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                gateway.sent.append((self.path, headers, body))
                data = json.dumps(gateway.answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def gateway():
    server = Gateway()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module", autouse=True)
def catalogue():
    with empty_registries():
        register_builtin_configs_from_helm_package()
        yield


def ask(deployment, credentials, folder):
    client = AutoClient(credentials, str(folder), BlackHoleCacheBackendConfig()).get_client(deployment)
    model = "openai/gpt-4o-2024-05-13" if "gpt-4o" in deployment else f"x/{deployment.partition('/')[2]}"
    sampling = {"max_tokens": 7, "temperature": 0.5, "stop_sequences": ["\n"], "top_p": 0.9}
    return client.make_request(Request(model=model, model_deployment=deployment, prompt=PROMPT, **sampling))


@pytest.mark.parametrize("deployment", SENT)
def test_the_request_is_helms_and_the_answer_is_read(deployment, gateway, tmp_path):
    host = deployment.partition("/")[0]
    gateway.answer, path, key_headers, body = SENT[deployment]
    credentials = {f"{host}Endpoint": f"http://127.0.0.1:{gateway.server_port}", f"{host}ApiKey": KEY}
    result = ask(deployment, credentials, tmp_path)
    assert result.success and [completion.text for completion in result.completions] == ["hello"], result.error
    ((sent_path, headers, sent_body),) = gateway.sent
    assert (sent_path, sent_body) == (path, body)
    assert {name for name, value in headers.items() if KEY in value} == key_headers


@pytest.mark.parametrize("deployment", SENT)
def test_without_the_gateways_address_nothing_is_sent_and_the_credential_is_named(deployment, tmp_path):
    result = ask(deployment, {}, tmp_path)
    assert not result.success and result.outcome == "auth"
    host = deployment.partition("/")[0]
    assert f"{host}Endpoint in credentials.conf names its address, and {host}ApiKey the key" in result.error


@pytest.mark.parametrize("answer", [[], {}, [{"candidates": []}], {"content": []}, {"content": "x"}, 3])
@pytest.mark.parametrize("deployment", [name for name in SENT if "claude" in name or "gemini" in name])
def test_what_is_no_answer_is_none(deployment, answer, gateway, tmp_path, monkeypatch):
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)
    gateway.answer = answer
    address = f"http://127.0.0.1:{gateway.server_port}"
    result = ask(deployment, {"stanfordhealthcareEndpoint": address, "stanfordhealthcareApiKey": KEY}, tmp_path)
    assert not result.success and not result.completions and result.outcome == "malformed", result
