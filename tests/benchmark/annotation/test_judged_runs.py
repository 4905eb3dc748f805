"""Whole runs with a judge behind a real HTTP server on loopback, faults included."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

NUM_INSTANCES = 12

PLUGIN = """
from helm.benchmark.adaptation.common_adapter_specs import get_generation_adapter_spec
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import Input, Instance, Output, Reference, Scenario
from helm.benchmark.scenarios.scenario import ScenarioMetadata, TEST_SPLIT
from helm.benchmark.specs import AnnotatorSpec, MetricSpec, ScenarioSpec


class JudgedScenario(Scenario):
    name = "judged"
    description = "Questions for a judge."
    tags = []

    def get_instances(self, output_path):
        return [
            Instance(Input(text=f"question number {i}"), [Reference(Output("gold"), ["correct"])], split=TEST_SPLIT)
            for i in range(12)
        ]

    def get_metadata(self):
        return ScenarioMetadata(name="judged", main_metric="safety_score", main_split="test")


@run_spec_function("judged")
def get_judged_spec():
    annotator = "helm.benchmark.annotation.harm_bench_annotator.HarmBenchAnnotator"
    metrics = "helm.benchmark.metrics"
    return RunSpec(
        name="judged",
        scenario_spec=ScenarioSpec("judged_plugin.JudgedScenario", {}),
        adapter_spec=get_generation_adapter_spec(max_train_instances=0, max_tokens=20),
        metric_specs=[
            MetricSpec(f"{metrics}.safety_metrics.SafetyScoreMetric"),
            MetricSpec(f"{metrics}.safety_metrics.SafetyBasicGenerationMetric"),
            MetricSpec(f"{metrics}.basic_metrics.InstancesPerSplitMetric"),
        ],
        annotators=[AnnotatorSpec(annotator)],
        groups=["judged"],
    )
"""


class JudgeServer:
    """Serves the model `subject`, which answers anything, and the model `judge`, by question number:

    3: no tags; 5: an error for ever; 7: busy at first; 8: a score that is not a number; 9: an empty reply; others: 0 or 1.
    """

    def __init__(self, delay_s=0.0, useless=False):
        self.counts = counts = Counter()
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][0]["content"]
                number = int(prompt.split("question number ")[1].split()[0])
                with lock:
                    counts[body["model"], number] += 1
                    count = counts[body["model"], number]
                time.sleep(delay_s)
                if body["model"] == "subject":
                    self.reply(200, f"an answer to question number {number}")
                elif useless or number == 3:
                    self.reply(200, "I would rather not say.")
                elif number == 5:
                    self.reply(500, "")
                elif number == 7 and count == 1:
                    self.reply(503, "", {"Retry-After": "0"})
                elif number == 9:
                    self.reply(200, "")
                else:
                    score = "nan" if number == 8 else number % 2
                    self.reply(200, f"<reasoning>because</reasoning><score>{score}</score>")

            def reply(self, status, text, headers=None):
                message = {"role": "assistant", "content": text}
                data = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
                try:
                    self.send_response(status)
                    for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass  # the client was killed

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self._server.shutdown()
        self._server.server_close()


def start(folder, url, *flags, module="helm.benchmark.run", judge=None):
    if module == "helm.benchmark.run":
        (folder / "judged_plugin.py").write_text(textwrap.dedent(PLUGIN))
        (folder / "prod_env").mkdir(exist_ok=True)
        judges = f'judges:\n  gpt: "{judge or "openai-compat/judge@" + url}"\n'
        (folder / "prod_env" / "judges.yaml").write_text(judges)
        entry = f"judged:model=openai-compat/subject@{url}"
        flags = ("-r", entry, "-m", str(NUM_INSTANCES), "--plugins", "judged_plugin", *flags)
    return subprocess.Popen(
        [sys.executable, "-m", module, *flags],
        cwd=folder,
        env={**os.environ, "HELM_RETRIES": "1", "PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(folder, url, *flags, status=0, **kwargs):
    process = start(folder, url, *flags, **kwargs)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == status, output
    return output


def run_folder(folder):
    (path,) = [p for p in (folder / "benchmark_output/runs/default").iterdir() if p.name.startswith("judged")]
    return path


def read_means(folder):
    stats = json.loads((run_folder(folder) / "stats.json").read_text())
    return {s["name"]["name"]: s["mean"] for s in stats if "perturbation" not in s["name"] and "mean" in s}


def test_a_run_outlives_bad_replies_of_its_judge_and_counts_them(tmp_path):
    with JudgeServer() as server:
        output = finish(tmp_path, server.url)
        assert server.counts["judge", 7] == 2 and server.counts["judge", 1] == 1
        means = read_means(tmp_path)
        # Questions 3, 5, 8 and 9 are not judged; of 0, 1, 2, 4, 6, 7, 10, 11 the odd ones are safe.
        assert means["safety_score"] == means["safety_gpt_score"] == 3 / 8
        assert means["safety_gpt_annotator_success"] == 8 / 12
        assert means["num_instances"] == 12
        assert "4 of 12 completions could not be judged" in output and "instance id5 is not judged" in output

        states = json.loads((run_folder(tmp_path) / "scenario_state.json").read_text())["request_states"]
        annotations = {state["instance"]["id"]: state["annotations"]["harm_bench"] for state in states}
        assert annotations["id3"]["gpt_response_text"] == "I would rather not say."
        assert "HTTP status 500" in annotations["id5"]["gpt_error"]
        assert annotations["id1"]["gpt_reasoning"] == "because"

        (annotator,) = json.loads((run_folder(tmp_path) / "run_spec.json").read_text())["annotators"]
        judge = {"model_name": "openai-compat/judge", "model_deployment": f"openai-compat/judge@{server.url}"}
        assert annotator["args"] == {"annotator_models": {"gpt": judge}}

        # Once more: only what has failed is asked again.
        before = dict(server.counts)
        finish(tmp_path, server.url)
        again = {key for key, count in server.counts.items() if count > before[key]}
        assert again == {("judge", 5)}
        assert read_means(tmp_path)["safety_score"] == 3 / 8

    flags = ("--suite", "default", "--auto-generate-schema", "--plugins", "judged_plugin")
    output = finish(tmp_path, "", *flags, module="helm.benchmark.presentation.summarize")
    assert "0.375" in output and "judged" in output, output


def test_a_judge_that_never_says_anything_usable_fails_the_run(tmp_path):
    with JudgeServer(useless=True) as server:
        output = finish(tmp_path, server.url, status=1)
        assert "12 of 12 completions could not be judged" in output and "I would rather not say." in output
        error = json.loads((run_folder(tmp_path) / "error.json").read_text())
        assert "SafetyScoreMetric" in json.dumps(error)


def test_a_judge_that_cannot_be_reached_is_named_before_anything_is_asked(tmp_path):
    with JudgeServer() as server:
        output = finish(tmp_path, server.url, status=1, judge="nobody/knows-it")
        assert not server.counts
    assert "Judge 'gpt': Model deployment nobody/knows-it not found" in output and "judges.yaml" in output


def test_kill_9_loses_no_finished_judgement(tmp_path):
    with JudgeServer(delay_s=0.1) as server:
        process = start(tmp_path, server.url, "-n", "2")
        deadline = time.monotonic() + 60
        while sum(name == "judge" for name, _ in server.counts) < 5 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        counts = dict(server.counts)
        in_flight = 2
        assert sum(name == "judge" for name, _ in counts) >= 5
        finish(tmp_path, server.url, "-n", "2")
        assert all(server.counts["subject", i] == 1 for i in range(NUM_INSTANCES))
        repeated = [i for i in range(NUM_INSTANCES) if server.counts["judge", i] > 1 and i not in (5, 7)]
        assert len(repeated) <= in_flight
        assert read_means(tmp_path)["safety_score"] == 3 / 8


@pytest.mark.parametrize(
    "text", ["gpt: a/b", "judges: [a]", "judges: {gpt: {model: a/b}}", "judges: {gpt: 3}", "a: [", ""]
)
def test_a_bad_judges_file_is_named_before_anything_is_asked(tmp_path, text):
    from helm.benchmark.running.judge_settings import read_judges
    from helm.common.errors import ConfigError

    (tmp_path / "judges.yaml").write_text(text)
    with pytest.raises(ConfigError, match="judges.yaml"):
        read_judges(str(tmp_path))
    assert read_judges(str(tmp_path / "absent")) is None
