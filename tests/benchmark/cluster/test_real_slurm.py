"""Runs as jobs of a real Slurm: its own daemons, started here as one node, and killed."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

import real_slurm
from cluster_support import MODEL, CountingModel, differences, finish_run, run_files, start_run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(real_slurm.missing()), reason=real_slurm.missing() or "it is here"),
]

SUITE = Path("benchmark_output/runs/cluster")
ENTRIES = [
    f"synthetic_reasoning:mode=pattern_match,model={MODEL}",
    f"synthetic_reasoning:mode=variable_substitution,model={MODEL}",
]
ARGUMENTS = ["-r", *ENTRIES, "-m", "12", "--suite", "cluster", "-n", "2", "--engine", "slurm"]


@pytest.fixture(scope="module")
def slurm():
    found = real_slurm.RealSlurm()
    try:
        found.start()
        yield found
    finally:
        found.stop()


@pytest.fixture(scope="module")
def local_suite(tmp_path_factory):
    model, folder = CountingModel(), tmp_path_factory.mktemp("local")
    finish_run(folder, *ARGUMENTS[:-2], OPENAI_BASE_URL=model.url)
    model.close()
    return run_files(folder / SUITE)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "work"
    (folder / "prod_env").mkdir(parents=True)
    (folder / "prod_env/runner_config.yaml").write_text("slurm_monitor_interval: 1\n")
    return folder


@pytest.fixture
def environment(slurm, model):
    return {**slurm.environment, "OPENAI_BASE_URL": model.url}


def processes_of_jobs(url: str) -> list[int]:
    """Return the processes that Slurm runs for tasks of the arrays, by its variable and by the address of this test's model."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            environment = (path / "environ").read_bytes()
            if (
                b"SLURM_ARRAY_TASK_ID=" in environment
                and url.encode() in environment
                and b"slurm_runner" in (path / "cmdline").read_bytes()
            ):
                found.append(int(path.name))
        except OSError:  # it has ended, or is not ours
            pass
    return found


def wait_for(is_done, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_jobs_write_the_files_of_a_local_run(slurm, folder, model, environment, local_suite):
    finish_run(folder, *ARGUMENTS, **environment)
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}
    (jobs,) = folder.glob("slurm/*/jobs.json")
    tasks = {run["task"] for run in json.loads(jobs.read_text())["runs"]}
    known = slurm.call("squeue", "--noheader", "--array", "--states=all", "--format=%i %T").splitlines()
    assert {f"{task} COMPLETED" for task in tasks} <= {line.strip() for line in known}
    assert not processes_of_jobs(model.url)


def test_a_job_whose_process_is_killed_is_submitted_again_and_goes_on(folder, model, environment, local_suite):
    model.delay_s = 0.5
    process = start_run(folder, *ARGUMENTS, **environment)
    model.wait_for(6)
    os.kill(processes_of_jobs(model.url)[0], signal.SIGKILL)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0, output
    assert "without a result. It is submitted again." in output
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert sum(count - 1 for count in model.counts.values()) <= 2, "more was sent again than was in flight"


def test_the_controller_may_be_killed_and_come_back(slurm, folder, model, environment, local_suite):
    model.delay_s = 0.5
    process = start_run(folder, *ARGUMENTS, **environment, SLURM_CLIENT_TIMEOUT="2")
    model.wait_for(4)
    slurm.kill("slurmctld")
    time.sleep(2)
    slurm.begin_controller()
    output = process.communicate(timeout=180)[0]
    assert process.returncode == 0, output
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}


def test_the_daemon_of_the_node_may_be_killed_and_come_back(slurm, folder, model, environment, local_suite):
    """The processes of jobs survive it, and the new daemon finds them again."""
    model.delay_s = 0.5
    process = start_run(folder, *ARGUMENTS, **environment)
    model.wait_for(4)
    slurm.kill("slurmd")
    time.sleep(1)
    slurm.begin_node()
    output = process.communicate(timeout=180)[0]
    assert process.returncode == 0, output
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}


def test_another_command_takes_over_the_jobs_of_one_that_was_killed(folder, model, environment, local_suite):
    model.delay_s = 1.5
    process = start_run(folder, *ARGUMENTS, **environment)
    model.wait_for(1)
    process.kill()
    process.communicate()
    process = start_run(folder, *ARGUMENTS, **environment)
    wait_for(lambda: len(list(folder.glob("slurm/*/jobs.json"))) == 2 or process.poll() is not None)
    model.delay_s = 0.02
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 0 and output.count("of an earlier command") == 2, output
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}


def test_ctrl_c_ends_the_jobs_and_the_same_command_goes_on(slurm, folder, model, environment, local_suite):
    model.delay_s = 3  # a busy machine is slow to see that they are under way
    process = start_run(folder, *ARGUMENTS, **environment)
    model.wait_for(6)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 130 and "Cancelling 2 jobs of Slurm." in output, output
    wait_for(lambda: not slurm.call("squeue", "--noheader").strip() and not processes_of_jobs(model.url))
    finish_run(folder, *ARGUMENTS, **environment)
    assert differences(local_suite, run_files(folder / SUITE)) == []
    assert set(model.counts.values()) == {1}, "something in flight was lost"


def test_a_cancelled_job_is_reported_and_not_submitted_again(slurm, folder, model, environment):
    model.delay_s = 3
    process = start_run(folder, *ARGUMENTS, **environment)
    model.wait_for(2)
    lines = slurm.call("squeue", "--noheader", "--array", "--states=RUNNING", "--format=%i").split()
    subprocess.run(["scancel", lines[0]], env={**os.environ, **environment}, check=True)
    model.delay_s = 0.02
    output = process.communicate(timeout=120)[0]
    assert process.returncode == 1 and ("without a result" in output or "told to stop" in output), output
    assert len(list((folder / SUITE).glob("*/stats.json"))) == 1
