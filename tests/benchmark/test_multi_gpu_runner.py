"""MultiGPURunner with real worker processes; the names of GPUs are a stand-in, since the models need none."""

import json
import os
import signal
from pathlib import Path

import pytest

from helm.benchmark import multi_gpu_runner, run
from helm.common.errors import ConfigError

PLUGIN = """
import json, os, signal
from helm.clients.client import Client
from helm.common.request import GeneratedOutput, RequestResult

class DeviceClient(Client):
    def __init__(self, is_deadly: bool = False):
        self.is_deadly = is_deadly

    def make_request(self, request):
        if self.is_deadly and not os.path.exists("cured"):
            if os.path.exists("asked"):  # the second request
                os.kill(os.getpid(), signal.SIGKILL)
            with open("asked", "w") as file:
                file.write(request.prompt)
        elif self.is_deadly:
            with open("asked-after", "a") as file:
                file.write(request.prompt)
        print("noise on standard output")
        text = json.dumps([os.environ["CUDA_VISIBLE_DEVICES"], os.getpid()])
        return RequestResult(success=True, cached=False, completions=[GeneratedOutput(text, 0, [])], embedding=[])
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, isolated_registries):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HELM_MAX_CONCURRENT_WORKERS", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "device_client_of_test.py").write_text(PLUGIN)
    (tmp_path / "prod_env").mkdir()
    deployments = [
        {
            "name": f"test/{name}",
            "tokenizer_name": "simple/tokenizer1",
            "max_sequence_length": 2048,
            "client_spec": {
                "class_name": "device_client_of_test.DeviceClient",
                "args": {"is_deadly": name == "deadly"},
            },
        }
        for name in ("a", "b", "c", "deadly")
    ]
    (tmp_path / "prod_env" / "model_deployments.yaml").write_text(json.dumps({"model_deployments": deployments}))


def start(*names, status=0):
    entries = [f"simple_mcqa:model=test/{name}" for name in names]
    words = ["-m", "2", "--suite", "s", "--runner-class-name", "helm.benchmark.multi_gpu_runner.MultiGPURunner"]
    try:
        run.main(["-r", *entries, *words])
    except SystemExit as e:
        assert e.code == status
    else:
        assert status == 0


def answers(name):
    text = Path(f"benchmark_output/runs/s/simple_mcqa:model=test_{name}/scenario_state.json").read_text()
    return [json.loads(s["result"]["completions"][0]["text"]) for s in json.loads(text)["request_states"]]


def test_runs_are_spread_over_the_gpus(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4, 7")
    start("a", "b", "c")
    used = {name: answers(name) for name in "abc"}
    assert all(len({tuple(answer) for answer in found}) == 1 for found in used.values())
    workers = {tuple(found[0]) for found in used.values()}
    assert {gpu for gpu, _ in workers} == {"4", "7"}
    assert len(workers) == 2  # the third run is done by a worker that is there already
    assert os.getpid() not in {pid for _, pid in workers}


def test_run_of_a_lost_worker_fails_and_the_others_are_done(monkeypatch, capsys):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    start("a", "deadly", "b", status=1)
    assert f"ended with status -{signal.SIGKILL.value}" in capsys.readouterr().err
    assert answers("a")[0][1] != answers("b")[0][1]
    error = json.loads(Path("benchmark_output/runs/s/simple_mcqa:model=test_deadly/error.json").read_text())
    assert "GPU 0" in json.dumps(error)

    Path("cured").touch()
    start("deadly")
    first, after = Path("asked").read_text(), Path("asked-after").read_text()
    assert first and after and first not in after  # what was answered before the worker died is not sent again
    assert [gpu for gpu, _ in answers("deadly")] == ["0", "0"]


@pytest.mark.parametrize("devices", ["", "-1", None])
def test_without_gpus(monkeypatch, tmp_path, devices):
    if devices is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", devices)
    with pytest.raises(ConfigError, match="at least one GPU"):
        multi_gpu_runner.find_gpus()


def test_gpus_of_the_driver(monkeypatch, tmp_path):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho 0\necho 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert multi_gpu_runner.find_gpus() == ["0", "1"]
