"""Whatever kills a command, and whenever: no batch is made twice, and another process goes on with it."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from batch_server import NUM_QUESTIONS, BatchServer, by_prompt, entry, files, records, write_inputs


@pytest.fixture
def server(tmp_path):
    server = BatchServer()
    server.answer = by_prompt
    write_inputs(tmp_path, server.origin)
    yield server
    server.close()


def start(folder, model="own/chat", *flags, suite="s"):
    command = [sys.executable, "-m", "helm.benchmark.run", "-r", entry(folder, "a", model), "-m", str(NUM_QUESTIONS)]
    return subprocess.Popen(
        [*command, "--suite", suite, *(flags or ("--batch-api",))],
        cwd=folder,
        env={**os.environ, "HELM_BATCH_POLL_S": "0.05"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def finish(process, status=0):
    output = process.communicate(timeout=90)[0].decode()
    assert process.returncode == status, output
    return output


def wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert condition()


@pytest.mark.parametrize(
    ("model", "stage"),
    [
        ("own/chat", "uploading"),
        ("own/chat", "uploaded"),
        ("own/chat", "created"),
        pytest.param("own/chat", "polling", marks=pytest.mark.slow),
        ("own/chat", "downloading"),
        pytest.param("own/anthropic", "created", marks=pytest.mark.slow),
        ("own/anthropic", "downloading"),
    ],
)
def test_kill_9_at_every_stage(tmp_path, server, model, stage):
    processes, arrived = [], threading.Event()

    def kill(now):
        if now == stage and not arrived.is_set():
            arrived.set()
            while not processes:
                time.sleep(0.001)
            processes[0].kill()
            processes[0].wait()

    server.on_stage = kill
    processes.append(start(tmp_path, model))
    processes[0].communicate(timeout=60)
    assert arrived.is_set() and processes[0].returncode == -signal.SIGKILL
    finish(start(tmp_path, model))
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS
    assert [record["stage"] for record in records(tmp_path)] == ["done"]
    assert {path.suffix for path in (tmp_path / "prod_env/batches").iterdir()} == {".json"}
    if stage == "downloading":
        (tmp_path / "prod_env/cache").rename(tmp_path / "cache_of_batches")
        finish(start(tmp_path, model, "--no-batch-api", suite="direct"))
        assert files(tmp_path, "a") == files(tmp_path, "a", "direct")


def test_kill_9_while_answers_are_taken_over(tmp_path, server):
    """The answers are on disk, and few or many of them in the cache and the journal."""
    for _ in range(3):
        process = start(tmp_path)
        wait_until(lambda ended=process.poll: ended() is not None or "ended" in [r["stage"] for r in records(tmp_path)])
        process.kill()
        process.communicate()
    finish(start(tmp_path))
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS
    assert [record["stage"] for record in records(tmp_path)] == ["done"]


def test_another_process_waits_for_a_batch_and_takes_it_over(tmp_path, server):
    server.polls_until_end = 10**6
    first = start(tmp_path, suite="first")
    wait_until(lambda: any(record["stage"] == "submitted" for record in records(tmp_path)))
    second = start(tmp_path, suite="second")
    third = start(tmp_path, suite="third")
    time.sleep(2)
    assert second.poll() is None and third.poll() is None
    first.kill()
    first.communicate()
    polls = len(server.log)
    wait_until(lambda: len(server.log) > polls + 2)
    server.polls_until_end = 1
    finish(second)
    finish(third)
    assert len(server.batches) == 1 and server.num_paid_lines == NUM_QUESTIONS


def test_ctrl_c_leaves_the_batch_running_and_says_how_to_go_on(tmp_path, server):
    server.polls_until_end = 10**6
    process = start(tmp_path)
    wait_until(lambda: any(record["stage"] == "submitted" for record in records(tmp_path)))
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output = finish(process, status=130)
    (record,) = records(tmp_path)
    assert f"helm-batch cancel {record['key']}" in output
    helm_batch = [sys.executable, "-m", "helm.benchmark.commands.manage_batches"]

    def ask(*words):
        return subprocess.run([*helm_batch, *words], cwd=tmp_path, capture_output=True, text=True)

    listed = ask("list").stdout
    assert record["key"] in listed and "the provider works on it (in_progress)" in listed
    assert "in_progress, 0 of 12 answered" in ask("status", record["key"]).stdout
    missing = ask("status", record["key"][:-1])
    assert missing.returncode == 1 and f"Did you mean '{record['key']}'?" in missing.stderr
    server.polls_until_end = 1
    finish(start(tmp_path))
    assert len(server.batches) == 1
    assert "no unfinished batches" in ask("list").stdout
    assert ask("cancel", record["key"]).returncode == 1


def test_a_cancelled_batch_is_taken_as_it_is(tmp_path, server):
    server.polls_until_end = 10**6
    process = start(tmp_path)
    wait_until(lambda: any(record["stage"] == "submitted" for record in records(tmp_path)))
    (record,) = records(tmp_path)
    command = [sys.executable, "-m", "helm.benchmark.commands.manage_batches", "cancel", record["key"]]
    assert subprocess.run(command, cwd=tmp_path).returncode == 0
    assert "has no answer to this request" in finish(process, status=1)
    server.polls_until_end = 1
    finish(start(tmp_path))
    assert [len(batch["lines"]) for batch in server.batches.values()] == [NUM_QUESTIONS, NUM_QUESTIONS // 2]
    assert server.num_paid_lines == NUM_QUESTIONS
