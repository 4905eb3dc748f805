"""Bad input ends with a message that names the culprit and the nearest valid name, exit code 1, nothing half written."""

import json
import os
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PLUGIN = """
from helm.benchmark.adaptation.common_adapter_specs import get_generation_adapter_spec
from helm.benchmark.metrics.metric import Metric, MetricSpec
from helm.benchmark.metrics.common_metric_specs import get_generic_metric_specs
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import *
from helm.common.executor_spec import ExecutorSpec

class OnlyTraining(Scenario):
    name, description, tags = "only_training", "No evaluation instances.", []
    def get_instances(self, output_path):
        return [Instance(Input("a"), [Reference(Output("b"), [CORRECT_TAG])], split=TRAIN_SPLIT)]

class Few(OnlyTraining):
    def get_instances(self, output_path):
        return [Instance(Input(str(i)), [Reference(Output("b"), [CORRECT_TAG])], split=TEST_SPLIT) for i in range(3)]

class NoName(Few):
    def __init__(self):
        pass

class Raises(Metric):
    def evaluate_generation(self, adapter_spec, request_state, metric_service, eval_cache_path):
        raise RuntimeError("division by cucumber")

@run_spec_function("bad")
def bad(scenario="bad_plugin.Few", metric="", executor="", kind=""):
    metrics = [MetricSpec(metric)] if metric else []
    return RunSpec(name="bad", scenario_spec=ScenarioSpec(scenario), adapter_spec=get_generation_adapter_spec(),
                   metric_specs=metrics + get_generic_metric_specs(), groups=[],
                   executor_spec=ExecutorSpec(executor) if executor else None)
"""


def helm_run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    (folder / "bad_plugin.py").write_text(PLUGIN)
    command = [sys.executable, "-m", "helm.benchmark.run", "-m", "3", "--plugins", "bad_plugin.py", *arguments]
    env = {**os.environ, "HELM_RETRIES": "1", **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def files_of_runs(folder: Path) -> set:
    return {path.name for path in folder.glob("benchmark_output/runs/default/*/*")}


CASES = {
    "unknown run spec": (["-r", "simple_mqca:model=simple/model1"], ["simple_mqca", "simple_mcqa"]),
    "unknown argument": (
        ["-r", "synthetic_reasoning:mod=induction,model=simple/model1"],
        ["synthetic_reasoning", "'mod'", "mode"],
    ),
    "wrong type": (
        ["-r", "dyck_language:num_parenthesis_pairs=many,model=simple/model1"],
        ["num_parenthesis_pairs", "many", "int"],
    ),
    "unknown model": (["-r", "simple_mcqa:model=simple/modl1"], ["simple/modl1", "simple/model1"]),
    "unknown plugin argument": (["-r", "bad:scenarioo=x,model=simple/model1"], ["'scenarioo'", "scenario"]),
}


@pytest.mark.parametrize("case", CASES)
def test_before_anything_runs(tmp_path, case):
    arguments, expected = CASES[case]
    result = helm_run(tmp_path, *arguments)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    for text in expected:
        assert text in result.stderr, result.stderr
    assert files_of_runs(tmp_path) == set()


def test_malformed_conf_names_file_and_line(tmp_path):
    (tmp_path / "runs.conf").write_text(
        'entries: [\n  {description: "simple_mcqa:model=simple/model1"}\n  {description: \n]\n'
    )
    result = helm_run(tmp_path, "-c", "runs.conf")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "runs.conf" in result.stderr and "line" in result.stderr


def test_conf_with_a_wrong_type_names_the_key(tmp_path):
    (tmp_path / "runs.conf").write_text('entries: [{description: "simple_mcqa:model=simple/model1", priority: "high"}]')
    result = helm_run(tmp_path, "-c", "runs.conf")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "runs.conf" in result.stderr and "priority" in result.stderr


def test_output_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    result = helm_run(tmp_path, "-r", "simple_mcqa:model=simple/model1", "-o", "file/output")
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert "file/output" in result.stderr or "file" in result.stderr


# arguments of the run spec `bad` -> what error.json must say, and at which stage
FAILING_RUNS = {
    "scenario=no_such_module.Scenario": ("no_such_module", "setup"),
    "scenario=bad_plugin.Fewer": ("Fewer", "setup"),
    "scenario=bad_plugin.NoName": ("super().__init__()", "setup"),
    "scenario=bad_plugin.OnlyTraining": ("none of them in the splits", "instances"),
    "metric=bad_plugin.Raise": ("Raise", "setup"),
    "metric=bad_plugin.Raises": ("division by cucumber", "metrics"),
    "executor=no_such_module.Executor": ("no_such_module", "setup"),
    "executor=helm.gradbench.executor.ToolExecutor": ("simple/model1", "setup"),
}


@pytest.mark.parametrize("args", FAILING_RUNS)
def test_a_run_that_fails_says_where_and_why_and_the_others_go_on(tmp_path, args):
    expected, stage = FAILING_RUNS[args]
    result = helm_run(tmp_path, "-r", f"bad:{args},model=simple/model1", "simple_mcqa:model=simple/model1")
    assert result.returncode == 1
    assert "Failed runs" in result.stderr
    error = json.loads((tmp_path / "benchmark_output/runs/default/bad:model=simple_model1/error.json").read_text())
    assert expected in error["message"], error
    assert error["stage"] == stage
    if stage == "metrics":
        assert error["instance_id"] in ("id0", "id1", "id2") and "Raises" in error["message"]
    assert not (tmp_path / "benchmark_output/runs/default/bad:model=simple_model1/stats.json").exists()
    assert (tmp_path / "benchmark_output/runs/default/simple_mcqa:model=simple_model1/stats.json").exists()


class FaultyServer:
    """Answers every request with fixed bytes, or (with None) never."""

    def __init__(self, body: bytes | None, status: int = 200):
        self.stop = stop = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                if body is None:
                    stop.wait(30)
                    return
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.stop.set()
        self._server.shutdown()
        self._server.server_close()


FAULTS = {
    "garbage": (b"<html>not json</html>", 200),
    "wrong shape": (b'{"choices": "none"}', 200),
    "server error": (b'{"error": {"message": "the kitchen is on fire"}}', 500),
    "unauthorized": (b'{"error": {"message": "no such key"}}', 401),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_answers_nonsense_fails_the_run_and_names_itself(tmp_path, fault):
    server = FaultyServer(*FAULTS[fault])
    try:
        result = helm_run(tmp_path, "-r", f"bad:model=openai-compat/m@{server.url}")
    finally:
        server.close()
    check_server_failure(tmp_path, result, server.url)
    if fault == "server error":
        assert "the kitchen is on fire" in result.stdout + result.stderr


def check_server_failure(folder: Path, result: subprocess.CompletedProcess, url: str) -> None:
    assert result.returncode == 1 and "Failed runs" in result.stderr, result.stderr
    (path,) = folder.glob("benchmark_output/runs/default/*/error.json")
    error = json.loads(path.read_text())
    assert error["stage"] == "execution" and error["instance_id"] == "id0"
    assert url.split("/")[2] in error["message"]
    assert not (path.parent / "stats.json").exists()


def test_a_server_that_refuses_is_named(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        result = helm_run(tmp_path, "-r", f"bad:model=openai-compat/m@{url}", "-n", "1")
    check_server_failure(tmp_path, result, url)


def test_a_server_that_hangs_runs_into_the_time_limit(tmp_path):
    server = FaultyServer(None)
    try:
        result = helm_run(
            tmp_path, "-r", f"bad:model=openai-compat/m@{server.url}", "-n", "1", HELM_REQUEST_TIMEOUT_S="1"
        )
    finally:
        server.close()
    check_server_failure(tmp_path, result, server.url)


def test_parts_of_different_kinds_are_named_before_the_first_request(tmp_path):
    result = helm_run(tmp_path, "-r", "simple_mcqa:model=gradbench/numpy")
    assert result.returncode == 1
    output = result.stdout + result.stderr
    assert "gradbench/numpy" in output and ("AD tool" in output or "ToolClient" in output)
