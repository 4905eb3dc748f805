"""The client of the Perspective API, against a real server on loopback that can misbehave."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.toxicity_metrics import ToxicityMetric
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.clients import perspective_api_client
from helm.clients.perspective_api_client import (
    PerspectiveAPIClient,
    PerspectiveAPIClientCredentialsError,
    PerspectiveAPIClientError,
)
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.local_context import LocalContext
from helm.common.perspective_api_request import PerspectiveAPIRequest
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.proxy.retry import RETRIES_VARIABLE, RetryError

KEY = "AIza-very-secret"


def scores(toxicity: float, **others: float) -> dict:
    values = {"TOXICITY": toxicity, **others}
    return {
        "attributeScores": {
            name: {"spanScores": [{"begin": 0, "end": 9, "score": {"value": value, "type": "PROBABILITY"}}]}
            for name, value in values.items()
        },
        "languages": ["en"],
    }


class Server:
    """Answers with what `answer` gives for a text: (status, body)."""

    def __init__(self) -> None:
        self.bodies: list[dict] = []
        self.headers: list[Any] = []
        self.paths: list[str] = []
        self.answer: Callable[[str], Any] = lambda text: (200, scores(0.25))
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.bodies.append(body)
                outer.headers.append(self.headers)
                outer.paths.append(self.path)
                status, answer = outer.answer(body["comment"]["text"])
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1alpha1/comments:analyze"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self._closed = False

    def close(self) -> None:
        if not self._closed:
            self.server.shutdown()
            self.server.server_close()
        self._closed = True


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def make_client(server: Server, cache: Any = None, key: str = KEY) -> PerspectiveAPIClient:
    return PerspectiveAPIClient(key, cache or BlackHoleCacheConfig(), url=server.url)


def test_scores_by_text(server: Server) -> None:
    server.answer = lambda text: (200, scores(0.9 if text == "bad" else 0.1, SEVERE_TOXICITY=0.5, NEW_ATTRIBUTE=1.0))
    result = make_client(server).get_toxicity_scores(PerspectiveAPIRequest(["bad", "good", "bad"]))
    assert result.success and not result.cached
    by_text = {text: scored.toxicity_score for text, scored in result.text_to_toxicity_attributes.items()}
    assert by_text == {"bad": 0.9, "good": 0.1}
    assert result.text_to_toxicity_attributes["bad"].severe_toxicity_score == 0.5
    assert result.text_to_toxicity_attributes["bad"].threat_score is None
    assert len(server.bodies) == 2
    assert server.bodies[0]["languages"] == ["en"] and server.bodies[0]["spanAnnotations"] is True
    assert len(server.bodies[0]["requestedAttributes"]) == 8
    assert KEY not in "".join(server.paths), "the key is not part of the URL"
    assert server.headers[0]["x-goog-api-key"] == KEY


def test_answers_are_cached_and_the_key_is_not(server: Server, tmp_path: Any) -> None:
    config = SqliteCacheConfig(str(tmp_path / "perspectiveapi.sqlite"))
    request = PerspectiveAPIRequest(["bad"])
    assert not make_client(server, config).get_toxicity_scores(request).cached
    again = make_client(server, config, key="another").get_toxicity_scores(request)
    assert again.cached and again.text_to_toxicity_attributes["bad"].toxicity_score == 0.25
    assert len(server.bodies) == 1
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert files and not any(KEY.encode() in content for content in files)


def test_long_texts_are_cut(server: Server) -> None:
    text = "x" * 30_000
    result = make_client(server).get_toxicity_scores(PerspectiveAPIRequest([text]))
    assert len(server.bodies[0]["comment"]["text"]) == 20_480
    assert text in result.text_to_toxicity_attributes


@pytest.mark.parametrize(
    "answer",
    [
        (429, {"error": {"message": f"Quota exceeded for {KEY}"}}),
        (503, b"<html>busy</html>"),
        (200, b"{broken"),
        (200, {"languages": ["en"]}),
        (200, {"attributeScores": {"TOXICITY": {"spanScores": []}}}),
    ],
    ids=["quota", "unavailable", "no json", "no scores", "no spans"],
)
def test_faults_are_unsuccessful_results_and_not_cached(server: Server, tmp_path: Any, answer: Any) -> None:
    client = make_client(server, SqliteCacheConfig(str(tmp_path / "cache.sqlite")))
    server.answer = lambda text: answer
    result = client.get_toxicity_scores(PerspectiveAPIRequest(["a"]))
    assert not result.success and server.url in str(result.error) and KEY not in str(result.error)
    server.answer = lambda text: (200, scores(0.3))
    assert client.get_toxicity_scores(PerspectiveAPIRequest(["a"])).success


def test_a_server_that_is_away_is_an_unsuccessful_result(server: Server) -> None:
    client = make_client(server)
    server.close()
    assert not client.get_toxicity_scores(PerspectiveAPIRequest(["a"])).success


def test_a_text_in_another_language_has_no_scores(server: Server) -> None:
    error = {"error": {"code": 400, "message": "Attribute TOXICITY does not support request languages: la"}}
    server.answer = lambda text: (400, error) if text == "quousque" else (200, scores(0.9))
    result = make_client(server).get_toxicity_scores(PerspectiveAPIRequest(["quousque", "bad"]))
    assert result.success
    assert result.text_to_toxicity_attributes["quousque"].toxicity_score is None
    assert result.text_to_toxicity_attributes["bad"].toxicity_score == 0.9


def test_a_wrong_key_and_none(server: Server) -> None:
    server.answer = lambda text: (400, {"error": {"message": "API key not valid. Please pass a valid API key."}})
    with pytest.raises(PerspectiveAPIClientCredentialsError, match="does not accept the key") as caught:
        make_client(server).get_toxicity_scores(PerspectiveAPIRequest(["a"]))
    assert KEY not in str(caught.value)
    with pytest.raises(PerspectiveAPIClientCredentialsError, match="perspectiveApiKey"):
        make_client(server, key="").get_toxicity_scores(PerspectiveAPIRequest(["a"]))
    server.answer = lambda text: (404, {"error": {"message": "gone"}})
    with pytest.raises(PerspectiveAPIClientError, match="HTTP status 404: gone"):
        make_client(server).get_toxicity_scores(PerspectiveAPIRequest(["a"]))


# --- through the metric -----------------------------------------------------------------------------------------------


def _state(*texts: str) -> RequestState:
    instance = Instance(Input("?"), [], "test", id="id0")
    completions = [GeneratedOutput(text, 0.0, []) for text in texts]
    result = RequestResult(success=True, embedding=[], completions=completions, cached=False)
    request = Request(model="simple/model1", model_deployment="simple/model1")
    return RequestState(instance, None, None, 0, None, request, result, 0, False)


def _evaluate(metric: ToxicityMetric, service: MetricService, *texts: str) -> dict:
    stats = metric.evaluate_generation(AdapterSpec(), _state(*texts), service, "")
    return {stat.name.name: stat.mean for stat in stats}


def make_service(folder: Any, credentials: str) -> MetricService:
    folder.mkdir(exist_ok=True)
    (folder / "credentials.conf").write_text(credentials)
    return MetricService(LocalContext(str(folder)))


def test_the_metric_asks_the_service(server: Server, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perspective_api_client, "API_URL", server.url)
    service = make_service(tmp_path / "prod_env", f"perspectiveApiKey: {KEY}\n")
    server.answer = lambda text: (400, {}) if text == "la" else (200, scores(0.9 if text == "bad" else 0.1))
    assert _evaluate(ToxicityMetric(), service, "bad", "good", "") == {
        "expected_max_toxicity": 0.9,
        "max_toxicity_probability": 1.0,
        "toxic_frac": 0.5,
    }
    assert _evaluate(ToxicityMetric(), service, "la", "bad")["num_unscored_completions"] == 1


def test_a_failing_service_fails_the_metric(server: Server, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perspective_api_client, "API_URL", server.url)
    monkeypatch.setenv(RETRIES_VARIABLE, "0")
    service = make_service(tmp_path / "prod_env", f"perspectiveApiKey: {KEY}\n")
    server.answer = lambda text: (503, b"busy")
    with pytest.raises(RetryError, match="HTTP status 503: busy"):
        _evaluate(ToxicityMetric(), service, "bad")


def test_without_a_key_there_is_one_warning_and_no_stats(
    tmp_path: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HELM_CREDENTIALS", raising=False)
    service, metric = make_service(tmp_path / "prod_env", ""), ToxicityMetric()
    assert _evaluate(metric, service, "bad") == {} == _evaluate(metric, service, "bad")
    assert caplog.text.count("perspectiveApiKey") == 1
