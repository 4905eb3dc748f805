"""A whole run of `ad_programming` against a model server on loopback, and the table made of it."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

ANSWERS = {
    # what the prompt asks for: what the model says
    "`gradient(x)`": "Sure.\n```python\nimport numpy as np\ndef gradient(x):\n"
    "    e = np.exp(x - x.max())\n    return e / e.sum()\n```",
    "`double(x)`": "```python\ndef double(x):\n    return 3.0 * x\n```",
    "`gradient(x, steps)`": "```python\ndef gradient(x, steps):\n    raise ValueError('too stiff')\n```",
    "`dir(points, centroids)`": "I cannot do that.",
}


class ModelServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        self.prompts = []
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        prompt = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][0]["content"]
        self.server.prompts.append(prompt)
        (text,) = [text for asked, text in ANSWERS.items() if asked in prompt]
        message = {"role": "assistant", "content": text}
        data = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with ModelServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def run(folder, module, *flags):
    process = subprocess.run(
        [sys.executable, "-m", module, *flags],
        cwd=folder,
        env={**os.environ, "HELM_RETRIES": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def column(table, name):
    index = [cell["value"] for cell in table["header"]].index(name)
    return [row[index].get("value") for row in table["rows"]]


@pytest.mark.sandbox
def test_models_are_asked_run_scored_and_tabulated(server, tmp_path):
    entry = f"ad_programming:eval=lse+hello+ode+kmeans,min_runs=3,min_seconds=0,model=openai-compat/m@{server.url}"
    run(tmp_path, "helm.benchmark.run", "-r", entry, "-m", "10", "--suite", "ad")
    assert len(server.prompts) == 4

    (folder,) = [path for path in (tmp_path / "benchmark_output/runs/ad").iterdir() if path.name.startswith("ad_prog")]
    states = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    trials = {state["instance"]["extra_data"]["eval"]: state["annotations"]["ad_program"] for state in states}
    outcomes = {name: trial["outcome"] for name, trial in trials.items()}
    assert outcomes == {"lse": "valid", "hello": "invalid", "ode": "failed", "kmeans": "no_program"}
    assert trials["ode"]["error"] == "ValueError: too stiff"
    assert all(item["num_runs"] == 3 for item in trials["lse"]["workloads"])

    stats = json.loads((folder / "stats.json").read_text())
    means = {
        stat["name"]["name"]: stat["mean"] for stat in stats if stat["name"].get("split") == "test" and stat["count"]
    }
    assert (means["solved"], means["ran"], means["valid"]) == (1 / 4, 2 / 4, 1 / 2)
    assert (means["failed"], means["no_program"], means["unanswered"]) == (1 / 4, 1 / 4, 0)
    assert means["speed_over_reference"] > 0

    run(tmp_path, "helm.benchmark.presentation.summarize", "--suite", "ad")
    (group,) = (tmp_path / "benchmark_output/runs/ad/groups").glob("ad_programming.json")
    (programs,) = json.loads(group.read_text())
    assert column(programs, "Solved") == [1 / 4]
    (speed,) = column(programs, "Speed")
    assert speed == pytest.approx(means["speed_over_reference"])
