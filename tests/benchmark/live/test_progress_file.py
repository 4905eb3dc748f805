"""`progress.json`: whole at every moment, shared by the commands of a suite, and readable after a kill."""

import json
import multiprocessing
import os
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from helm.benchmark.live.progress_file import ProgressFile
from helm.common.errors import ConfigError
from helm.common.telemetry.progress_report import read_progress
from live_support import NOW, busy_command, command


def dead_pid():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_is_written_is_read_again(tmp_path):
    report = busy_command()
    ProgressFile(str(tmp_path), clock=lambda: NOW).write(report)
    found = read_progress(str(tmp_path))
    assert found.commands == [report] and found.suite == tmp_path.name and found.updated_at == NOW
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"], "nothing is left beside it"


def test_the_file_is_for_people_too(tmp_path):
    ProgressFile(str(tmp_path)).write(busy_command())
    text = (tmp_path / "progress.json").read_text()
    assert text.startswith('{\n  "suite"') and json.loads(text)["schema_version"] == 1


def test_two_commands_keep_their_own_entries(tmp_path):
    first, second = command(pid=os.getpid(), started_at=NOW - 9), command(pid=os.getppid(), started_at=NOW - 5)
    a, b = ProgressFile(str(tmp_path), lambda: NOW), ProgressFile(str(tmp_path), lambda: NOW)
    a.write(first)
    b.write(second)
    a.write(replace(first, state="finished", ended_at=NOW))
    b.write(replace(second, updated_at=NOW + 1))
    commands = read_progress(str(tmp_path)).commands
    assert [(c.state, c.updated_at) for c in commands] == [("finished", NOW), ("running", NOW + 1)]


def test_a_new_command_removes_what_is_over(tmp_path):
    over = command(started_at=1.0, state="finished", ended_at=2.0)
    killed = command(started_at=3.0, pid=dead_pid())
    elsewhere = command(started_at=4.0, host="another-host", pid=1)
    for report in (over, killed, elsewhere):
        file = ProgressFile(str(tmp_path), lambda: NOW)
        file._is_first = False
        file.write(report)
    mine = command(started_at=5.0)
    ProgressFile(str(tmp_path), lambda: NOW).write(mine)
    assert read_progress(str(tmp_path)).commands == [elsewhere, mine]


def _write_often(path, number, all_are_there):
    file = ProgressFile(path)
    for i in range(40):
        file.write(command(pid=os.getpid(), started_at=float(number), updated_at=time.time() + i), max_wait_s=30)
        if i == 0:
            all_are_there.wait(60)  # who begins later than another one ends removes that one's entry
    file.write(command(pid=os.getpid(), started_at=float(number), state="finished", ended_at=1.0), max_wait_s=30)


def test_processes_at_the_same_time_lose_nothing_and_a_reader_never_sees_half_a_file(tmp_path):
    context = multiprocessing.get_context("spawn")
    all_are_there = context.Barrier(4)
    processes = [context.Process(target=_write_often, args=(str(tmp_path), n, all_are_there)) for n in range(4)]
    for process in processes:
        process.start()
    while any(process.is_alive() for process in processes):
        read_progress(str(tmp_path))  # raises when it is not whole
    assert [process.exitcode for process in processes] == [0] * 4
    commands = read_progress(str(tmp_path)).commands
    assert [(c.started_at, c.state) for c in commands] == [(float(n), "finished") for n in range(4)]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema_version": 1}', '{"schema_version": 1, "commands": 3}'])
def test_a_damaged_file_is_an_error_for_readers_and_none_for_writers(tmp_path, text):
    (tmp_path / "progress.json").write_text(text)
    with pytest.raises(ConfigError, match="progress.json"):
        read_progress(str(tmp_path))
    ProgressFile(str(tmp_path)).write(command())
    assert len(read_progress(str(tmp_path)).commands) == 1


def test_a_file_of_a_later_version_says_so(tmp_path):
    (tmp_path / "progress.json").write_text('{"schema_version": 7}')
    with pytest.raises(ConfigError, match="schema_version 7"):
        read_progress(str(tmp_path))


def test_a_field_that_a_later_version_adds_does_no_harm(tmp_path):
    ProgressFile(str(tmp_path)).write(command())
    values = json.loads((tmp_path / "progress.json").read_text())
    values["commands"][0]["mood"] = "good"
    (tmp_path / "progress.json").write_text(json.dumps(values))
    assert len(read_progress(str(tmp_path)).commands) == 1


def test_no_file_is_no_progress(tmp_path):
    assert read_progress(str(tmp_path)) is None


def test_what_a_reader_sees_of_a_command_that_does_not_say_that_it_is_over():
    assert command().state_at(NOW + 1) == "running"
    assert command().state_at(NOW + 60) == "silent"
    assert command(pid=dead_pid()).state_at(NOW + 4) == "killed"
    assert command(pid=dead_pid()).state_at(NOW + 1) == "running", "it may be in another container of this name"
    assert command(host=socket.gethostname() + "x", pid=dead_pid()).state_at(NOW + 4) == "running"
    assert command(pid=dead_pid(), state="finished", ended_at=NOW).state_at(NOW + 9999) == "finished"
