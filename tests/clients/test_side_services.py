"""Moderation of texts, uploads, and Granite's thoughts, against a server on loopback that notes what it is sent."""

import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helm.clients import gcs_client
from helm.clients.gcs_client import GCSClient, GCSClientError
from helm.clients.megatron_client import MegatronClient
from helm.clients.moderation_api_client import ModerationAPIClient
from helm.clients.vllm_granite_thinking_client import VLLMGraniteThinkingClient
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.errors import ConfigError, HelmError
from helm.common.file_upload_request import FileUploadRequest
from helm.common.moderations_api_request import ModerationAPIRequest
from helm.common.request import Request

CATEGORIES = [
    "hate", "hate/threatening", "self-harm", "sexual", "sexual/minors", "violence", "violence/graphic", "harassment",
]  # fmt: skip


class Server:
    """Answers with what `answers` has for a path, else 404: (status, JSON)."""

    def __init__(self):
        self.answers, self.sent = {}, []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.sent.append((self.command, self.path, dict(self.headers), body))
                status, answer = outer.answers.get(self.path.partition("?")[0], (404, {}))
                data = b"" if self.command == "HEAD" else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_HEAD = do_PUT = do_POST  # noqa: N815

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def server():
    server = Server()
    yield server
    server.server.shutdown()
    server.server.server_close()


def verdict(flagged, separator=str):
    return {
        "results": [
            {
                "flagged": flagged,
                "categories": {separator(name): name == "self-harm" and flagged for name in CATEGORIES},
                "category_scores": {separator(name): i / 10 for i, name in enumerate(CATEGORIES)},
            }
        ]
    }


def test_moderation(server, tmp_path):
    server.answers["/v1/moderations"] = (200, verdict(True))
    client = ModerationAPIClient("sk-1", SqliteCacheConfig(str(tmp_path / "cache.sqlite")), f"{server.url}/v1")
    result = client.get_moderation_results(ModerationAPIRequest("a text"))
    assert result.success and not result.cached and result.flagged and result.error is None
    assert result.flagged_results.self_harm_flagged and not result.flagged_results.hate_threatening_flagged
    assert (result.scores.hate_score, result.scores.violence_graphic_score) == (0.0, 0.6)
    assert client.get_moderation_results(ModerationAPIRequest("a text")).cached
    assert client.will_be_flagged("a text"), "another key: the latest model"
    assert [(headers["Authorization"], json.loads(body)) for _, _, headers, body in server.sent] == [
        ("Bearer sk-1", {"input": "a text"})
    ] * 2


def test_what_is_no_verdict_is_a_failure(server):
    client = ModerationAPIClient("sk-1", BlackHoleCacheConfig(), f"{server.url}/v1")
    server.answers["/v1/moderations"] = (200, {"results": []})
    result = client.get_moderation_results(ModerationAPIRequest("a"))
    assert not result.success and result.flagged is None and "no verdict" in result.error
    with pytest.raises(HelmError, match="no verdict"):
        client.will_be_flagged("a")
    server.answers["/v1/moderations"] = (200, verdict(False, lambda name: name.replace("/", "_").replace("-", "_")))
    assert not client.will_be_flagged("a"), "the form of HELM's caches is read, too"
    with pytest.raises(ConfigError, match="openaiApiKey"):
        ModerationAPIClient("", BlackHoleCacheConfig()).will_be_flagged("a")


class Credentials:
    def headers(self, renews=False):
        return {"Authorization": "Bearer token"}


def test_an_upload_is_readable_and_made_once(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a b.png").write_bytes(b"picture")
    cache = SqliteCacheConfig(str(tmp_path / "cache.sqlite"))
    client = GCSClient("bucket", cache, server.url, Credentials())
    server.answers["/upload/storage/v1/b/bucket/o"] = (200, {"name": "a b.png"})
    server.answers["/bucket/a%20b.png"] = (200, {})
    result = client.upload(FileUploadRequest("a b.png"))
    assert (result.success, result.cached, result.url) == (True, False, f"{server.url}/bucket/a%20b.png")
    assert client.upload(FileUploadRequest("a b.png")).cached
    (method, path, headers, body), (check, *_) = server.sent
    assert (method, body, check) == ("POST", b"picture", "HEAD")
    assert path.endswith("?uploadType=media&ifGenerationMatch=0&name=a%20b.png")
    assert (headers["Authorization"], headers["Content-Type"]) == ("Bearer token", "image/png")


def test_uploads_that_fail_say_why(server, tmp_path, monkeypatch):
    monkeypatch.setattr(gcs_client, "_PAUSE_S", 0)
    (tmp_path / "a.txt").write_text("x")
    request = FileUploadRequest(str(tmp_path / "a.txt"))
    client = GCSClient("bucket", BlackHoleCacheConfig(), server.url, Credentials())
    route = "/upload/storage/v1/b/bucket/o"
    server.answers[route] = (412, {"error": {"message": "conditionNotMet"}})
    with pytest.raises(GCSClientError, match="there is an object of this name"):
        client.upload(request)
    server.answers[route] = (200, {})
    with pytest.raises(GCSClientError, match="a.txt cannot be read: HTTP status 404"):
        client.upload(request)
    assert [method for method, *_ in server.sent].count("HEAD") == GCSClient.MAX_CHECK_ATTEMPTS
    with pytest.raises(GCSClientError, match="no.txt cannot be read"):
        client.upload(FileUploadRequest(str(tmp_path / "no.txt")))
    with pytest.raises(GCSClientError, match="gcsBucketName"):
        GCSClient("", BlackHoleCacheConfig())


# What crfm-helm 0.5.16 makes of such texts.
THOUGHTS = {
    "<think>a b</think><response>c</response>": ("a b", "c"),
    "x": ("x", ""),
    "<think>a</think>c": ("a", ""),
    "<think>\n a \n</think>\n<response>\n b\n": ("\n a \n", "\n b\n"),
    "<response>b</response>": ("<response>b</response>", ""),
    "<think>a": ("a", ""),
    "<think>a</think> junk <response>b</response>": ("a", ""),
    "<think>a</think><response>b</response>tail": ("a", "b"),
    "<think>a<response>b</response>": ("a<response>b</response>", ""),
    "<think>a</think><think>q</think><response>b</response>": ("a</think><think>q", "b"),
    " <think>a</think><response>b</response>": (" <think>a</think><response>b</response>", ""),
    "<think>a</think> <response>b</response><response>c</response>": ("a", "b</response><response>c"),
    "": ("", ""),
}


def test_granites_thoughts_are_apart_from_its_answer(server):
    client = VLLMGraniteThinkingClient(BlackHoleCacheConfig(), f"{server.url}/v1", "granite")
    request = Request(model="ibm/granite", model_deployment="ibm/granite", prompt="hi", stop_sequences=["END"])
    for text, (thinking, answer) in {**THOUGHTS, "<think>t END</think><response>b END c": ("t END", "b ")}.items():
        message = {"role": "assistant", "content": text}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        server.answers["/v1/chat/completions"] = (200, {"choices": choices})
        (completion,) = client.make_request(request).completions
        assert (completion.thinking.text, completion.text) == (thinking, answer), text
    body = json.loads(server.sent[0][3])
    assert body["chat_template_kwargs"] == {"thinking": True} and "extra_body" not in body


def test_megatrons_server_is_sent_what_helm_sends(server):
    client = MegatronClient(cache_config=BlackHoleCacheConfig(), base_url=server.url)
    server.answers["/api"] = (200, {"text": ["big world and so on. And"], "segments": [["big"]]})
    request = Request(model="nvidia/m", model_deployment="nvidia/m", prompt="big world", temperature=0.5, max_tokens=5)
    assert [c.text for c in client.make_request(request).completions] == [" and so on. And"]
    body = {"prompts": ["big world"], "tokens_to_generate": 5, "temperature": 0.5, "top_k": 1}
    assert [(method, json.loads(data)) for method, _, _, data in server.sent] == [("PUT", body)]
    for changes, text in (
        ({"stop_sequences": ["."]}, " and so on"),
        ({"echo_prompt": True}, "big world and so on. And"),
    ):
        (completion,) = client.make_request(replace(request, **changes)).completions
        assert completion.text == text
    refused = client.make_request(replace(request, top_p=0.5))
    assert not refused.success and "no top_p" in refused.error and len(server.sent) == 3
    server.answers["/api"] = (200, {"message": "no"})
    assert not client.make_request(request).success
