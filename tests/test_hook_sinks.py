"""The sinks of hooks, against what really stores their events: a collector of OTLP, MLflow's database, files of W&B."""

import json
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hooks_support import NAME, helm_run
from scripted_chat_server import ScriptedChatServer


class Collector:
    """Takes spans by OTLP over HTTP, as a collector does."""

    def __init__(self):
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        self.spans, self.resources, outer = [], [], self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    import gzip

                    body = gzip.decompress(body)
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    outer.resources.append(attributes_of(resource.resource))
                    for scope in resource.scope_spans:
                        outer.spans += scope.spans
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def attributes_of(item):
    values = {}
    for attribute in item.attributes:
        value = attribute.value
        kind = value.WhichOneof("value")
        found = getattr(value, kind)
        values[attribute.key] = [each.string_value for each in found.values] if kind == "array_value" else found
    return values


@pytest.fixture
def collector():
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture
def server():
    server = ScriptedChatServer({"Question": {"content": "Paris"}})
    yield server
    server.close()


def run_with_spans(folder, collector, server, *arguments):
    entry = f"simple_short_answer_qa:model=openai-compat/m@{server.url},chat=on"
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_RESOURCE_ATTRIBUTES": "team=evals"}
    done = helm_run(folder, "--hooks", "opentelemetry", "--price", "1000,1000", *arguments, entry=entry, **environment)
    assert done.returncode == 0, done.stderr
    return {span.span_id: span for span in collector.spans}


def test_opentelemetry_gets_a_span_for_the_command_its_runs_and_their_requests(tmp_path, collector, server):
    spans = run_with_spans(tmp_path, collector, server)
    assert collector.resources[0]["service.name"] == "helm" and collector.resources[0]["team"] == "evals"
    (command,) = [span for span in spans.values() if not span.parent_span_id]
    (run,) = [span for span in spans.values() if span.parent_span_id == command.span_id]
    requests = [span for span in spans.values() if span.parent_span_id == run.span_id]
    assert command.name == "helm-run" and len(requests) == 3 and len(spans) == 5
    assert len({span.trace_id for span in spans.values()}) == 1
    assert attributes_of(command)["helm.state"] == "finished"
    described = attributes_of(run)
    assert described["helm.state"] == "done" and described["helm.requests.done"] == 3 and "helm.score" in described
    for span in requests:
        attributes = attributes_of(span)
        assert {name: attributes.get(name) for name in EXPECTED} == EXPECTED
        assert not [name for name in attributes if "messages" in name]
        assert span.name == "chat openai-compat/m" and span.kind == span.SPAN_KIND_CLIENT
        assert (
            run.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano <= run.end_time_unix_nano
        )


EXPECTED = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai-compat",
    "gen_ai.request.model": "openai-compat/m",
    "gen_ai.request.temperature": 0.0,
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.response.finish_reasons": ["stop"],
    "helm.stage": "execution",
    "helm.cached": False,
    "helm.cost_usd": 0.015,
}


def test_opentelemetry_gets_messages_if_texts_are_asked_for(tmp_path, collector, server):
    spans = run_with_spans(tmp_path, collector, server, "--hook-texts")
    request = next(span for span in spans.values() if span.kind == span.SPAN_KIND_CLIENT)
    attributes = attributes_of(request)
    sent = json.loads(attributes["gen_ai.input.messages"])
    assert sent[-1]["role"] == "user" and "Question" in sent[-1]["parts"][0]["content"]
    answer = {"role": "assistant", "parts": [{"type": "text", "content": "Paris"}]}
    assert json.loads(attributes["gen_ai.output.messages"]) == [answer]


def test_opentelemetry_without_a_collector_does_not_fail_the_run(tmp_path):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_EXPORTER_OTLP_TIMEOUT": "1"}
    done = helm_run(tmp_path, "--hooks", "opentelemetry", **environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("store", ["sqlite:///{}/m.db", "file://{}/mlruns"])
def test_mlflow_gets_params_metrics_and_files(tmp_path, store, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    if store.startswith("sqlite"):
        pytest.importorskip("sqlalchemy")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    uri = store.format(tmp_path)
    done = helm_run(tmp_path, "--hooks", "mlflow", MLFLOW_TRACKING_URI=uri)
    assert done.returncode == 0 and "is off" not in done.stderr, done.stderr
    client = mlflow.MlflowClient(tracking_uri=uri)
    experiment = client.get_experiment_by_name("s")
    (run,) = client.search_runs([experiment.experiment_id])
    assert (run.info.run_name, run.info.status) == (NAME, "FINISHED")
    assert run.data.params["adapter_spec.model"] == "simple/model1"
    stats = json.loads((tmp_path / "benchmark_output/runs/s" / NAME / "stats.json").read_text())
    (exact,) = [stat for stat in stats if stat["name"] == {"name": "exact_match", "split": "test"}]
    assert run.data.metrics["test/exact_match"] == run.data.metrics["score"] == exact["mean"]
    assert run.data.metrics["requests/done"] == 3 and run.data.tags["helm.score_name"] == "exact_match"
    names = {item.path.rpartition("/")[2] for item in client.list_artifacts(run.info.run_id, "helm")}
    assert {"run_spec.json", "stats.json", "coverage.json"} <= names and "scenario_state.json" not in names


def test_mlflow_marks_a_run_that_failed(tmp_path):
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("sqlalchemy")
    uri = f"sqlite:///{tmp_path}/m.db"
    entry = "simple_short_answer_qa:model=openai-compat/m@http://127.0.0.1:9/v1"
    arguments = ["--hooks", "mlflow", "--no-probe"]
    done = helm_run(tmp_path, *arguments, entry=entry, MLFLOW_TRACKING_URI=uri, HELM_RETRIES="0")
    assert done.returncode == 1
    client = mlflow.MlflowClient(tracking_uri=uri)
    (run,) = client.search_runs([client.get_experiment_by_name("s").experiment_id])
    assert run.info.status == "FAILED" and run.data.tags["helm.stage"] == "execution" and run.data.tags["helm.error"]


def records_of(path):
    """The records in a file of an offline run: blocks of 32 KiB with the log format of LevelDB, which has parts of records."""
    from wandb.proto import wandb_internal_pb2

    data, position, parts = path.read_bytes(), 7, []
    assert data[:4] == b":W&B"
    while position + 7 <= len(data):
        left = 32768 - position % 32768
        if left < 7:
            position += left
            continue
        _, length, kind = struct.unpack_from("<IHB", data, position)
        parts.append(data[position + 7 : position + 7 + length])
        position += 7 + length
        if kind in (1, 4):  # a whole record, or the last part of one
            record = wandb_internal_pb2.Record()
            record.ParseFromString(b"".join(parts))
            parts.clear()
            yield record


def test_wandb_gets_configuration_and_summary_offline(tmp_path):
    pytest.importorskip("wandb")
    done = helm_run(tmp_path, "--hooks", "wandb", WANDB_MODE="offline", WANDB_DIR=str(tmp_path))
    assert done.returncode == 0 and "is off" not in done.stderr, done.stderr
    (path,) = tmp_path.glob("wandb/offline-run-*/*.wandb")
    records = list(records_of(path))
    (run,) = [record.run for record in records if record.HasField("run")]
    assert (run.project, run.display_name, run.run_group) == ("s", NAME, "s")
    config = {".".join([item.key, *item.nested_key]): item.value_json for item in run.config.update}
    assert "simple/model1" in str(config)
    summary = {}
    for record in records:
        for item in record.summary.update:
            summary["/".join(item.nested_key) or item.key] = json.loads(item.value_json)
    stats = json.loads((tmp_path / "benchmark_output/runs/s" / NAME / "stats.json").read_text())
    (exact,) = [stat for stat in stats if stat["name"] == {"name": "exact_match", "split": "test"}]
    assert summary["test/exact_match"] == summary["score"] == exact["mean"]
    assert [record.exit.exit_code for record in records if record.HasField("exit")] == [0]


@pytest.mark.parametrize("name, module", [("opentelemetry", "opentelemetry"), ("mlflow", "mlflow"), ("wandb", "wandb")])
def test_a_sink_without_its_package_says_which_extra_brings_it(tmp_path, name, module):
    hiding = "import sys\n\n\nclass Hidden:\n    def find_spec(self, name, path=None, target=None):\n"
    hiding += f"        if name.partition('.')[0] == {module!r}:\n            raise ModuleNotFoundError('hidden', name=name)\n"
    (tmp_path / "sitecustomize.py").write_text(hiding + "\n\nsys.meta_path.insert(0, Hidden())\n")
    done = helm_run(tmp_path, "--hooks", name)
    assert done.returncode == 1
    assert f"pip install 'helm-evals[{name}]'" in done.stderr and done.stderr.count("\n") == 1
