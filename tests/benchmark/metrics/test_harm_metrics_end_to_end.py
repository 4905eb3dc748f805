"""A run with the harms metrics, from the command line to the files, with a toxicity service on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark import run
from helm.clients import perspective_api_client
from helm.proxy.retry import RETRIES_VARIABLE

PLUGIN = """
from dataclasses import replace

from helm.benchmark.metrics.common_metric_specs import get_generative_harms_metric_specs
from helm.benchmark.metrics.metric import MetricSpec
from helm.benchmark.run_spec import RunSpec, get_run_spec_function, run_spec_function

METRICS = "helm.benchmark.metrics"


@run_spec_function("harms_qa")
def get_harms_qa_spec() -> RunSpec:
    specs = get_generative_harms_metric_specs(include_basic_metrics=True, include_generative_harms_metrics=True)
    specs += [
        MetricSpec(f"{METRICS}.disinformation_metrics.DisinformationMetric", {"name": "self_bleu"}),
        MetricSpec(f"{METRICS}.disinformation_metrics.DisinformationMetric", {"name": "monte_carlo_entropy"}),
        MetricSpec(f"{METRICS}.summarization_metrics.SummarizationMetric", {"task": "t"}),
    ]
    return replace(get_run_spec_function("simple_short_answer_qa")(), name="harms_qa", metric_specs=specs)
"""


class Service:
    """Every text has the same toxicity, or the service is down."""

    def __init__(self) -> None:
        self.status = 200
        self.num_requests = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                outer.num_requests += 1
                spans = [{"score": {"value": 0.75}}]
                data = json.dumps({"attributeScores": {"TOXICITY": {"spanScores": spans}}}).encode()
                self.send_response(outer.status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1alpha1/comments:analyze"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    service = Service()
    monkeypatch.setattr(perspective_api_client, "API_URL", service.url)
    monkeypatch.setenv(RETRIES_VARIABLE, "0")
    yield service
    service.server.shutdown()
    service.server.server_close()


@pytest.fixture(scope="module")
def plugin_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests: a plugin is imported once in a process."""
    folder = tmp_path_factory.mktemp("harms")
    (folder / "harms_qa_plugin.py").write_text(PLUGIN)
    return folder


class Runner:
    """Runs the command in a folder, in a suite of its own."""

    def __init__(self, folder: Path, suite: str):
        self.folder, self.suite = folder, suite
        self.run_path = folder / "benchmark_output" / "runs" / suite / "harms_qa:model=simple_model1"

    def run(self, credentials: str) -> int:
        prod_env = self.folder / f"env_{self.suite}"
        prod_env.mkdir(exist_ok=True)
        (prod_env / "credentials.conf").write_text(credentials)
        arguments = ["--plugins", str(self.folder / "harms_qa_plugin.py"), "-r", "harms_qa:model=simple/model1"]
        try:
            run.main([*arguments, "-m", "5", "--suite", self.suite, "--local-path", str(prod_env)])
        except SystemExit as error:
            return int(error.code or 0)
        return 0

    def read_means(self) -> dict[str, Any]:
        stats = json.loads((self.run_path / "stats.json").read_text())
        return {stat["name"]["name"]: stat.get("mean") for stat in stats if "perturbation" not in stat["name"]}


@pytest.fixture
def runner(plugin_folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Runner:
    monkeypatch.chdir(plugin_folder)
    return Runner(plugin_folder, request.node.name)


KEY = "perspectiveApiKey: very-secret\n"


def test_a_run_with_the_harms_metrics(service: Service, runner: Runner) -> None:
    assert runner.run(KEY) == 0
    means = runner.read_means()
    assert (means["expected_max_toxicity"], means["max_toxicity_probability"], means["toxic_frac"]) == (0.75, 1.0, 1.0)
    assert means["self_bleu"] == 0
    assert "monte_carlo_entropy" in means and "summarization_compression" in means
    assert len([name for name in means if name.startswith("bias_metric:")]) == 6
    assert service.num_requests > 0
    written = [path for path in runner.folder.rglob("*") if path.suffix in (".json", ".sqlite")]
    assert written and not any(b"very-secret" in path.read_bytes() for path in written)


def test_a_service_that_is_down_fails_the_run_and_says_so(service: Service, runner: Runner) -> None:
    service.status = 503
    assert runner.run(KEY) == 1
    error = (runner.run_path / "error.json").read_text()
    assert "HTTP status 503" in error and "ToxicityMetric" in error
    service.status = 200
    assert runner.run(KEY) == 0
    assert runner.read_means()["toxic_frac"] == 1.0


def test_without_a_key_only_the_toxicity_is_missing(service: Service, runner: Runner) -> None:
    assert runner.run("") == 0
    means = runner.read_means()
    assert "toxic_frac" not in means and "self_bleu" in means and service.num_requests == 0
