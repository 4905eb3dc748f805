"""Runs as jobs of a small Slurm, whose commands are real programs and whose jobs are real processes.

With HELM_TEST_SLURM=real the Slurm of this machine is used instead, for what that can be asked.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

import fake_slurm
from cluster_support import MODEL, CountingModel, differences, finish_run, run_files, start_run
from helm.benchmark import slurm_jobs
from helm.benchmark.cluster import slurm_commands
from helm.benchmark.cluster.demand import Demand
from helm.common.errors import ConfigError

IS_REAL = os.environ.get("HELM_TEST_SLURM") == "real"
SUITE = Path("benchmark_output/runs/cluster")
ENTRIES = [
    f"simple_classification:model={MODEL}",  # their questions are made in no time
    f"simple_mcqa:model={MODEL}",
    "gradbench_hello:model=gradbench/numpy",
]
FLAGS = ["-m", "12", "--suite", "cluster", "-n", "2"]
SLURM = ["--engine", "slurm"]


class Slurm:
    """The commands, and what they know."""

    def __init__(self, folder: Path):
        self.environment = {} if IS_REAL else fake_slurm.install(folder)
        self._state = folder / "state"

    def tasks(self) -> dict:
        return fake_slurm.tasks(self._state)

    def options(self, job: str) -> dict:
        return json.loads((self._state / job).read_text())["options"]

    def call(self, *command: str) -> str:
        environment = {**os.environ, **self.environment}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    def running(self) -> list:
        lines = self.call("squeue", "--noheader", "--array", "--format=%i %T").splitlines()
        return [line.split()[0] for line in lines if line.split()[1] == "RUNNING"]

    def wait_until_idle(self) -> None:
        deadline = time.monotonic() + 60
        while self.running():
            assert time.monotonic() < deadline, "jobs continue"
            time.sleep(0.1)


@pytest.fixture
def slurm(tmp_path):
    slurm = Slurm(tmp_path / "slurm-itself")
    yield slurm
    slurm.wait_until_idle()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "work"
    (folder / "prod_env").mkdir(parents=True)
    (folder / "prod_env/runner_config.yaml").write_text("slurm_monitor_interval: 1\n")
    return folder


@pytest.fixture(scope="module")
def local_suite(tmp_path_factory):
    model, folder = CountingModel(), tmp_path_factory.mktemp("local")
    finish_run(folder, "-r", *ENTRIES, *FLAGS, OPENAI_BASE_URL=model.url)
    model.close()
    return run_files(folder / SUITE)


def manager_folder(folder: Path) -> Path:
    return sorted((folder / "slurm").iterdir())[-1]


def names(folder: Path, kind: str) -> list:
    return sorted(json.loads((manager_folder(folder) / f"{kind}_runs.json").read_text()))


def test_jobs_write_the_files_of_a_local_run(slurm, folder, model, local_suite):
    environment = {**slurm.environment, "HELM_MAX_CONCURRENT_WORKER_SLURM_JOBS": "2", "OPENAI_BASE_URL": model.url}
    finish_run(folder, "-r", *ENTRIES, *FLAGS, *SLURM, **environment)
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}
    manager = manager_folder(folder)
    assert {path.name for path in manager.iterdir()} >= {"slurm_runner_spec.json", "run_specs", "logs"}
    assert len(list((manager / "run_specs").iterdir())) == len(ENTRIES) == len(names(folder, "completed"))
    assert names(folder, "queued") == names(folder, "running") == names(folder, "failed") == []
    assert (manager / "slurm_runner_spec.json").stat().st_mode & 0o077 == 0
    if not IS_REAL:
        times = [(known["began"], known["ended"]) for known in slurm.tasks().values()]
        assert max(sum(began <= t < ended for began, ended in times) for t, _ in times) == 2

    output = finish_run(folder, "-r", *ENTRIES, *FLAGS, *SLURM, "--skip-completed-runs", **environment)
    assert output.count("because run is completed") == len(ENTRIES) == len(names(folder, "skipped"))
    assert len(list((manager_folder(folder) / "outcomes").iterdir())) == 0, "something was submitted"


@pytest.mark.skipif(IS_REAL, reason="knows the processes of jobs")
def test_a_job_that_is_lost_is_submitted_again_and_goes_on(slurm, folder, model, local_suite):
    model.delay_s = 0.3
    process = start_run(folder, "-r", *ENTRIES[:2], *FLAGS, *SLURM, **slurm.environment, OPENAI_BASE_URL=model.url)
    model.wait_for(6)
    os.kill(slurm.tasks()["101_0"]["pid"], signal.SIGKILL)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, output
    assert "its Slurm job 101_0 ended as NODE_FAIL without a result. It is submitted again." in output
    expected = {name: text for name, text in local_suite.items() if name.startswith("simple_")}
    assert differences(expected, run_files(folder / SUITE)) == []
    assert sum(count - 1 for count in model.counts.values()) <= 2, "more was sent again than was in flight"


@pytest.mark.slow
def test_another_command_takes_over_the_jobs_of_one_that_was_killed(slurm, folder, model, local_suite):
    model.delay_s = 5
    arguments = ["-r", *ENTRIES[:2], *FLAGS, *SLURM]
    process = start_run(folder, *arguments, **slurm.environment, OPENAI_BASE_URL=model.url)
    model.wait_for(1)
    process.kill()
    process.communicate()
    process = start_run(folder, *arguments, **slurm.environment, OPENAI_BASE_URL=model.url)
    deadline = time.monotonic() + 60
    while len(list(folder.glob("slurm/*/jobs.json"))) < 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    model.delay_s = 0.02
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, output
    assert output.count("of an earlier command") == 2
    expected = {name: text for name, text in local_suite.items() if name.startswith("simple_")}
    assert differences(expected, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}


def test_ctrl_c_ends_the_jobs_and_the_same_command_goes_on(slurm, folder, model, local_suite):
    model.delay_s = 0.3
    arguments = ["-r", *ENTRIES[:2], *FLAGS, *SLURM]
    process = start_run(folder, *arguments, **slurm.environment, OPENAI_BASE_URL=model.url)
    model.wait_for(6)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 130 and "Cancelling 2 jobs of Slurm." in output, output
    slurm.wait_until_idle()
    assert 6 <= model.num_requests < 24
    finish_run(folder, *arguments, **slurm.environment, OPENAI_BASE_URL=model.url)
    expected = {name: text for name, text in local_suite.items() if name.startswith("simple_")}
    assert differences(expected, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}, "something in flight was lost"


@pytest.mark.slow
def test_failures_are_reported_as_by_a_local_run(slurm, folder, model):
    (folder / "broken_plugin.py").write_text(
        "from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment\n"
        "from helm.clients.simple_client import SimpleClient\n"
        "class Broken(SimpleClient):\n"
        "    def make_request(self, request):\n"
        "        raise ZeroDivisionError('broken on purpose')\n"
        "register_model_deployment(ModelDeployment('broken/model', ClientSpec('broken_plugin.Broken')))\n"
    )
    model.delay_s = 1
    arguments = ["-r", "simple_mcqa:model=broken/model", "simple_mcqa:model=simple/model1", ENTRIES[0], *FLAGS, *SLURM]
    arguments += ["--plugins", "./broken_plugin.py"]
    process = start_run(folder, *arguments, **slurm.environment, OPENAI_BASE_URL=model.url, HELM_RETRIES="0")
    model.wait_for(1)
    slurm.call("scancel", next(task for task in slurm.running() if task.endswith("_2")))
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 1
    assert set(names(folder, "failed")) == {"simple_mcqa:model=broken_model", ENTRIES[0].replace("compat/", "compat_")}
    error = json.loads((folder / SUITE / "simple_mcqa:model=broken_model/error.json").read_text())
    assert (error["stage"], error["error_type"]) == ("execution", "ExecutorError") and error["instance_id"]
    assert error["message"].startswith("ZeroDivisionError: broken on purpose Request: Request(")
    shown = f"ZeroDivisionError: broken on purpose Request: instance {error['instance_id']}"
    assert shown in output and error["message"] not in output
    assert "without a result" in output or "told to stop" in output
    assert (folder / SUITE / "simple_mcqa:model=simple_model1/stats.json").exists()


def test_a_job_reads_the_file_that_helm_writes(folder):
    """`slurm_runner_spec.json` has HELM's fields under HELM's names; ours are additions."""
    spec = {
        "execution_spec": {
            "auth": {"api_key": ""},
            "local_path": "prod_env",
            "parallelism": 4,
            "dry_run": False,
            "sqlite_cache_backend_config": {"path": "prod_env/cache"},
        },
        "output_path": "benchmark_output", "suite": "cluster", "skip_instances": False, "cache_instances": False,
        "cache_instances_only": False, "skip_completed_runs": False, "exit_on_error": False,
    }  # fmt: skip
    (folder / "slurm_runner_spec.json").write_text(json.dumps(spec))
    finish_run(folder, "-r", "simple_mcqa:model=simple/model1", *FLAGS, "-o", "local")
    (local,) = (folder / "local/runs/cluster").glob("simple*")
    shutil.copy(local / "run_spec.json", folder / "run.json")
    command = slurm_commands.python_command("slurm_runner_spec.json")
    subprocess.run([*command, "run.json"], cwd=folder, check=True, stdout=subprocess.PIPE)
    assert (folder / SUITE / local.name / "run_spec.json").read_bytes() == (local / "run_spec.json").read_bytes()


def test_jobs_share_one_budget(slurm, folder, model):
    model.delay_s = 0.2
    arguments = ["-r", *ENTRIES[:2], *FLAGS, *SLURM, "--max-tokens-total", "1000"]
    output = finish_run(folder, *arguments, status=3, **slurm.environment, OPENAI_BASE_URL=model.url)
    assert "tokens are used" in output and 10 <= model.num_requests <= 10 + model.most_in_flight  # 100 tokens each


def test_what_does_not_reach_the_jobs_is_refused(slurm, folder):
    output = finish_run(folder, "-r", ENTRIES[2], *FLAGS, *SLURM, "--max-time", "9s", status=1, **slurm.environment)
    assert "--max-time does not reach the jobs of --engine slurm" in output and not (folder / "slurm").exists()


def test_options_come_from_the_settings_the_deployment_and_the_environment():
    demand = Demand({"num_cpus": 3.5, "num_gpus": 2, "memory_gb": 8, "nvme": 1}, "host/model")
    settings = {"partition": "long", "cpus_per_task": 1, "exclusive": None, "requeue": True, "hold": False}
    options = slurm_commands.options_of(demand, settings, {"HELM_SLURM_NODE_NAMES": "n[1-4]"})
    assert options == {
        "signal": "B:INT@60", "partition": "long", "cpus-per-task": "4", "exclusive": "", "requeue": "",
        "mem": "7630M", "gres": "gpu:2,nvme:1", "nodelist": "n[1-4]",
    }  # fmt: skip
    assert slurm_commands.options_of(Demand(), None, {}) == {"signal": "B:INT@60"}
    with pytest.raises(ConfigError, match="whole numbers of gpu, not 0.5"):
        slurm_commands.options_of(Demand({"num_gpus": 0.5}, "host/model"), None, {})


@pytest.mark.skipif(IS_REAL, reason="looks into the state of the small Slurm")
def test_many_runs_of_several_kinds_are_several_arrays_within_one_limit(slurm, folder, monkeypatch):
    from helm.benchmark import slurm_runner

    (folder / "prod_env/model_deployments.yaml").write_text(
        "model_deployments:\n"
        "  - {name: big/model, client_spec: {class_name: helm.clients.simple_client.SimpleClient}, resources: {num_gpus: 1}}\n"
    )
    (folder / "copies.py").write_text(
        "from dataclasses import replace\n"
        "from helm.benchmark.run_spec import get_run_spec_function, run_spec_function\n"
        "from helm.benchmark.cluster import slurm_commands\n"
        "slurm_commands.MAX_ARRAY_SIZE = 2\n"
        '@run_spec_function("copy")\n'
        "def copy(number: int):\n"
        '    return replace(get_run_spec_function("simple_mcqa")(), name=f"copy:number={number}")\n'
    )
    assert slurm_runner.slurm_commands.MAX_ARRAY_SIZE == 1000
    entries = [f"copy:number={i},model=simple/model1" for i in range(4)] + ["copy:number=9,model=big/model"]
    arguments = ["--plugins", "./copies.py", "-r", *entries, *FLAGS, *SLURM]
    finish_run(folder, *arguments, **slurm.environment, HELM_MAX_CONCURRENT_WORKER_SLURM_JOBS="2")
    arrays = [slurm.options(job) for job in ("101", "102", "103")]
    assert [options["array"] for options in arrays] == ["0-1%1", "0-1%1", "0-0%1"]
    assert [options.get("gres") for options in arrays] == [None, None, "gpu:1"]
    times = [(known["began"], known["ended"]) for known in slurm.tasks().values()]
    assert len(times) == 5 and max(sum(began <= t < ended for began, ended in times) for t, _ in times) <= 2
    assert len(list((folder / SUITE).glob("copy*/stats.json"))) == 5


@pytest.mark.skipif(IS_REAL, reason="the stand-in's states are known")
def test_scripts_submit_single_jobs(slurm, tmp_path, monkeypatch):
    for name, value in slurm.environment.items():
        monkeypatch.setenv(name, value)
    output = str(tmp_path / "said.txt")
    command = ["sh", "-c", "echo 'a b'; exit 3"]
    failing = slurm_jobs.submit_slurm_job(command, {"job_name": "x", "chdir": str(tmp_path), "output": output})
    endless = slurm_jobs.submit_slurm_job("exec sleep 60", {"chdir": str(tmp_path), "exclusive": True})
    slurm_jobs.cancel_slurm_job(endless)
    slurm.wait_until_idle()
    while slurm_jobs.get_slurm_job_state(failing) in slurm_jobs.ACTIVE_SLURM_JOB_STATES:
        time.sleep(0.05)
    states = [slurm_jobs.get_slurm_job_state(job) for job in (failing, endless)]
    assert states == [slurm_jobs.SlurmJobState.FAILED, slurm_jobs.SlurmJobState.CANCELLED]
    assert set(states) <= slurm_jobs.FAILURE_SLURM_JOB_STATES < slurm_jobs.TERMINAL_SLURM_JOB_STATES
    assert Path(output).read_text() == "a b\n"
    assert slurm.options(str(failing))["job-name"] == "x"
    assert slurm_jobs.get_slurm_job_state(12345) == ""
