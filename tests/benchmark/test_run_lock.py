"""Several processes on one suite: each run has one owner, each request is paid for once, and all end well."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from counting_server import CountingServer
from helm.benchmark.commands import rescore
from helm.benchmark.runner import Runner
from helm.benchmark.running import run_lock
from helm.benchmark.running.run_lock import LOCK_FILE_NAME, describe_holder, is_run_locked, try_lock_run
from helm.benchmark.running.run_writer import RUN_FILE_NAMES

NUM_INSTANCES = 30
NAMES = ("a", "b", "c")


@pytest.fixture
def server():
    server = CountingServer(delay_s=0.02)
    yield server
    server.close()


def entries(folder):
    found = []
    for name in NAMES:
        lines = [
            {
                "input": {"text": f"{name}: question {i}?"},
                "references": [{"output": {"text": "x"}, "tags": ["correct"]}],
            }
            for i in range(NUM_INSTANCES)
        ]
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps({**line, "split": "test"}) + "\n" for line in lines))
        found.append(f"custom_mcqa:path={path},num_train_instances=0,model=openai-compat/m")
    return found


def start(folder, server, *flags, entries_of=None):
    command = [
        sys.executable,
        "-m",
        "helm.benchmark.run",
        "-r",
        *(entries_of or entries(folder)),
        "-m",
        "100",
        "-n",
        "2",
    ]
    environment = {**os.environ, "OPENAI_BASE_URL": server.url}
    return subprocess.Popen(
        [*command, *flags], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def finish(process):
    output = process.communicate(timeout=300)[0].decode()
    assert process.returncode == 0, output
    return output


def run_folders(folder):
    suite = folder / "benchmark_output/runs/default"
    return sorted(path for path in suite.glob("custom*") if path.is_dir())


def wait_until(condition):
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def check(folder, server):
    """All runs are whole, nothing else is left, and nothing was paid for twice."""
    assert set(server.counts.values()) == {1} and len(server.counts) == len(NAMES) * NUM_INSTANCES
    assert len(run_folders(folder)) == len(NAMES)
    for path in run_folders(folder):
        assert {name for name in os.listdir(path)} == {*RUN_FILE_NAMES, "coverage.json", "intervals.json"}
        assert len(json.loads((path / "scenario_state.json").read_text())["request_states"]) == NUM_INSTANCES


@pytest.mark.parametrize(
    "number, flags",
    [
        (2, ("--disable-cache",)),
        pytest.param(2, (), marks=pytest.mark.slow),
        pytest.param(3, (), marks=pytest.mark.slow),
        pytest.param(3, ("--disable-cache",), marks=pytest.mark.slow),
    ],
)
def test_processes_on_one_suite_pay_once_and_all_end_well(tmp_path, server, number, flags):
    listed = entries(tmp_path)
    processes = [start(tmp_path, server, *flags, entries_of=listed) for _ in range(number)]
    for process in processes:
        finish(process)
    check(tmp_path, server)


class GatedServer(CountingServer):
    """Answers twenty requests, and others as soon as `gate` is open; what came before is never answered."""

    def __init__(self):
        self.gate = threading.Event()
        super().__init__(delay_s=0.0)

    def receive(self, connection, body):
        if self.gate.is_set() or sum(self.counts.values()) < 20:
            super().receive(connection, body)
        else:
            self.counts["not answered"] += 1


@pytest.mark.slow
def test_runs_of_a_process_that_is_killed_go_on_in_the_one_that_waits(tmp_path):
    server = GatedServer()
    listed = entries(tmp_path)
    first = start(tmp_path, server, "--disable-cache", "--no-probe", entries_of=listed)
    wait_until(lambda: len(list(tmp_path.glob(f"benchmark_output/runs/default/*/{LOCK_FILE_NAME}"))) == len(NAMES))
    wait_until(lambda: server.counts["not answered"] >= 2)
    second = start(tmp_path, server, "--disable-cache", "--no-probe", entries_of=listed)
    while "Waiting for" not in (line := second.stdout.readline().decode()):
        assert line, "it ended"
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=60)
    server.client_was_killed()
    server.gate.set()
    output = finish(second)
    assert "Resuming" in output and "The results are in" in output
    assert server.counts.pop("not answered") == 2
    check(tmp_path, server)
    server.close()


def test_the_lock_names_its_holder_and_goes_with_it(tmp_path):
    path = str(tmp_path / "run")
    assert not is_run_locked(path) and not os.path.exists(path)
    lock = try_lock_run(path)
    assert lock is not None and try_lock_run(path) is None and is_run_locked(path)
    assert describe_holder(path).startswith(f"process {os.getpid()} on host ")
    lock.release()
    assert os.listdir(path) == [] and not is_run_locked(path)


def test_a_lock_file_that_a_dead_process_left_does_no_harm(tmp_path):
    program = f"""
import os, signal
from helm.benchmark.running.run_lock import try_lock_run
assert try_lock_run({str(tmp_path)!r}) is not None
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == -signal.SIGKILL
    assert os.listdir(tmp_path) == [LOCK_FILE_NAME]
    assert not is_run_locked(str(tmp_path))
    lock = try_lock_run(str(tmp_path))
    assert lock is not None and describe_holder(str(tmp_path)).startswith(f"process {os.getpid()} ")
    lock.release()


@pytest.fixture
def helm(tmp_path, monkeypatch):
    """Runs `helm-run` on simple/model1 here; returns its exit status."""
    from helm.benchmark import run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HELM_LOG_LEVEL", "INFO")

    def helm(*flags):
        try:
            run.main(["-r", "simple_mcqa:model=simple/model1", "-m", "2", *flags])
        except SystemExit as e:
            return e.code
        return 0

    return helm


def stamp():
    """Changes when the run's files are written."""
    status = os.stat(f"{FOLDER}/stats.json")
    return status.st_ino, status.st_mtime_ns


FOLDER = "benchmark_output/runs/default/simple_mcqa:model=simple_model1"


@pytest.fixture
def held_while(monkeypatch):
    """What a command returns when somebody else holds the run; the lock goes, after `then`, as soon as it waits."""
    waits = threading.Event()

    def sleep(seconds):
        waits.set()
        time.sleep(seconds)

    monkeypatch.setattr(run_lock, "sleep_until_stopped", sleep)

    def held_while(command, then=lambda: None):
        lock = try_lock_run(FOLDER)
        results = []
        thread = threading.Thread(target=lambda: results.append(command()))
        thread.start()
        try:
            assert waits.wait(timeout=120)
            then()
        finally:
            lock.release()
            thread.join(timeout=120)
        return results[0]

    return held_while


def test_a_run_that_its_holder_did_not_finish_is_made_here(helm, held_while, capsys):
    assert held_while(helm) == 0
    assert os.path.exists(f"{FOLDER}/stats.json")
    output = capsys.readouterr().err
    assert "is being made by process" in output and "Skipping" not in output


@pytest.mark.parametrize("is_dry", [False, True])
def test_a_run_that_its_holder_finished_is_not_made_again(helm, held_while, capsys, is_dry):
    assert helm() == 0
    files = {name: open(f"{FOLDER}/{name}").read() for name in os.listdir(FOLDER)}
    finished: list = []
    capsys.readouterr()

    def finish_it():
        for name, text in files.items():
            if not (is_dry and name == "coverage.json"):
                with open(f"{FOLDER}/{name}.new", "w") as file:
                    file.write(text)
                os.replace(f"{FOLDER}/{name}.new", f"{FOLDER}/{name}")
        if is_dry:
            os.unlink(f"{FOLDER}/coverage.json")
        finished.append(stamp())

    assert held_while(helm, finish_it) == 0
    assert ("another process has completed it in the meantime" in capsys.readouterr().err) == (not is_dry)
    assert os.path.exists(f"{FOLDER}/coverage.json")
    assert (stamp() == finished[-1]) == (not is_dry)


def test_results_of_another_spec_under_one_name_are_replaced(helm, held_while):
    assert helm() == 0
    text = open(f"{FOLDER}/run_spec.json").read().replace('"max_eval_instances": 2', '"max_eval_instances": 1')

    def finish_it():
        for name in os.listdir(FOLDER):
            if name.endswith(".json"):
                os.utime(f"{FOLDER}/{name}")
        with open(f"{FOLDER}/run_spec.json", "w") as file:
            file.write(text)

    assert held_while(helm, finish_it) == 0
    assert '"max_eval_instances": 2' in open(f"{FOLDER}/run_spec.json").read()


def test_a_run_that_is_being_made_is_not_scored_anew(helm, capsys):
    assert helm() == 0
    before = stamp()
    lock = try_lock_run(FOLDER)
    with pytest.raises(SystemExit):
        rescore.main(["--suite", "default"])
    lock.release()
    assert "is being made by process" in "".join(capsys.readouterr()) and stamp() == before
    rescore.main(["--suite", "default"])
    assert "1 of 1 run scored" in capsys.readouterr().out and LOCK_FILE_NAME not in os.listdir(FOLDER)


def test_a_lock_that_a_dead_process_left_in_a_finished_run_is_cleared_away(helm, capsys):
    assert helm() == 0
    with open(f"{FOLDER}/{LOCK_FILE_NAME}", "w") as file:
        file.write("{}")
    assert helm("--skip-completed-runs") == 0
    assert "because run is completed" in capsys.readouterr().err and LOCK_FILE_NAME not in os.listdir(FOLDER)


def test_a_runner_that_is_asked_twice_makes_the_run_twice(helm, monkeypatch):
    stamps, run_all = [], Runner.run_all

    def run_all_twice(self, run_specs):
        for _ in range(2):
            run_all(self, run_specs)
            stamps.append(stamp())

    monkeypatch.setattr(Runner, "run_all", run_all_twice)
    assert helm() == 0 and stamps[0] != stamps[1]


def test_a_dry_run_beside_a_run_writes_none_of_its_files(helm, capsys):
    lock = try_lock_run(FOLDER)
    assert helm("--dry-run") == 0
    assert os.listdir(FOLDER) == [LOCK_FILE_NAME]
    lock.release()
    assert "Its files are left as they are" in capsys.readouterr().err


def test_a_run_finished_before_the_command_began_is_made_again_as_ever(helm):
    assert helm() == 0
    before = stamp()
    assert helm() == 0
    assert stamp() != before
