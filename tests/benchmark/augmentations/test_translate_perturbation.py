"""Translation, by the real package against a server on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from helm.benchmark.augmentations import translate_perturbation
from helm.benchmark.augmentations.perturbation import PerturbationSpec, create_perturbation
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.clients.google_translate_client import GoogleTranslateClient, GoogleTranslateError
from helm.common.codec import asdict_without_nones


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            request = json.loads(body) if body.startswith("{") else {k: v[0] for k, v in parse_qs(body).items()}
            self.server.requests.append(request)
            texts = request["q"] if isinstance(request["q"], list) else [request["q"]]
            translations = [{"translatedText": f"{request['target']}({text})"} for text in texts]
            answer = json.dumps(self.server.answer or {"data": {"translations": translations}}).encode()
            self.send_response(self.server.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http_server:
        http_server.requests, http_server.status, http_server.answer = [], 200, None
        http_server.url = f"http://127.0.0.1:{http_server.server_port}"
        thread = threading.Thread(target=http_server.serve_forever, args=(0.01,))
        thread.start()
        yield http_server
        http_server.shutdown()
        thread.join()


@pytest.fixture
def client(server):
    credentials = pytest.importorskip("google.auth.credentials")
    pytest.importorskip("google.cloud.translate_v2")
    return GoogleTranslateClient(server.url, credentials.AnonymousCredentials())


@pytest.fixture
def perturbation(client, monkeypatch):
    monkeypatch.setattr(translate_perturbation, "GoogleTranslateClient", lambda cache_config: client)
    path = "helm.benchmark.augmentations.translate_perturbation.TranslatePerturbation"
    return create_perturbation(PerturbationSpec(path, {"language_code": "zh-CN"}))


def test_input_and_references_are_translated(perturbation, server):
    instance = Instance(Input("Is it?"), [Reference(Output("Yes"), [CORRECT_TAG]), Reference(Output(""), [])], id="id0")
    copy = perturbation.apply(instance)
    assert copy.input.text == "zh-CN(Is it?)"
    assert [reference.output.text for reference in copy.references] == ["zh-CN(Yes)", ""]
    assert list(asdict_without_nones(copy.perturbation).items()) == [
        ("name", "translate"),
        ("robustness", False),
        ("fairness", False),
        ("computed_on", "perturbed"),
        ("language_code", "zh-CN"),
    ]
    perturbation.apply(instance)
    assert len(server.requests) == 2  # the same texts are asked for once
    assert {request["format"] for request in server.requests} == {"text"}


@pytest.mark.parametrize(
    "status, answer",
    [(403, {"error": {"message": "no"}}), (200, {"data": {}}), (200, {"data": {"translations": [{}]}})],
)
def test_a_failure_is_no_translation(perturbation, server, status, answer):
    server.status, server.answer = status, answer
    with pytest.raises(GoogleTranslateError):
        perturbation.apply(Instance(Input("Is it?"), [], id="id0"))


def test_credentials_are_needed(client, monkeypatch, tmp_path):
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    with pytest.raises(GoogleTranslateError, match="credentials"):
        GoogleTranslateClient()
