"""The rules of locks on runs, without other processes: who is waited for, how long, and what counts as done meanwhile."""

import errno
import os
import time

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running import run_lock
from helm.benchmark.running.run_lock import (
    LOCK_FILE_NAME,
    RunHeldError,
    RunLocks,
    describe_holder,
    remove_dead_lock,
    try_lock_run,
    wait_for_free,
)
from helm.benchmark.specs import ScenarioSpec
from helm.common.codec import dump_json
from helm.common.errors import HelmError

SPEC = RunSpec("name", ScenarioSpec("a.Scenario"), AdapterSpec(), [])
POLLS = [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "run")


@pytest.fixture
def sleeps(monkeypatch):
    """What was slept; the last sleep lets go of `sleeps.lock`."""

    class Sleeps(list):
        lock = None

        def sleep(self, seconds):
            self.append(seconds)
            if len(self) == len(POLLS):
                self.lock.release()

    sleeps = Sleeps()
    monkeypatch.setattr(run_lock, "sleep_until_stopped", sleeps.sleep)
    return sleeps


def test_a_held_run_is_waited_for_and_its_holder_named(path, sleeps, caplog):
    caplog.set_level("INFO", "helm")
    sleeps.lock = try_lock_run(path)
    RunLocks().take("name", path).release()
    assert sleeps == pytest.approx(POLLS)
    assert f"name is being made by process {os.getpid()} on host" in caplog.text and "Waiting for it." in caplog.text


def test_a_free_run_is_not_waited_for(path, sleeps, caplog):
    caplog.set_level("INFO", "helm")
    RunLocks().take("name", path).release()
    assert sleeps == [] and not caplog.text


def test_of_several_runs_those_are_returned_that_nobody_makes(tmp_path, sleeps):
    paths = {number: str(tmp_path / str(number)) for number in (3, 5)}
    sleeps.lock, other = (try_lock_run(path) for path in paths.values())
    assert wait_for_free(paths) == [3] and sleeps == pytest.approx(POLLS)
    other.release()
    assert wait_for_free(paths) == [3, 5] and len(sleeps) == len(POLLS)


def test_inside_the_block_a_held_run_is_left_and_behind_it_waited_for(path, sleeps):
    locks, sleeps.lock = RunLocks(), try_lock_run(path)
    for error in (None, ValueError):
        try:
            with locks.leaving_held():
                with pytest.raises(RunHeldError, match="name is being made by process"):
                    locks.take("name", path)
                if error is not None:
                    raise error
        except ValueError:
            pass
    assert sleeps == []
    locks.take("name", path).release()
    assert len(sleeps) == len(POLLS)


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"pid": 1}', "3"])
def test_a_holder_that_nothing_is_known_of(path, text):
    os.mkdir(path)
    if text is not None:
        with open(os.path.join(path, LOCK_FILE_NAME), "w") as file:
            file.write(text)
    assert describe_holder(path) == "another process"


def test_a_folder_that_was_dropped_meanwhile_is_made_again(path, monkeypatch):
    real, calls = run_lock.try_file_lock, []

    def drop_once(lock_path):
        calls.append(lock_path)
        if len(calls) == 1:
            os.rmdir(path)
        return real(lock_path)

    monkeypatch.setattr(run_lock, "try_file_lock", drop_once)
    lock = try_lock_run(path)
    assert lock is not None and len(calls) == 2 and os.listdir(path) == [LOCK_FILE_NAME]
    lock.release()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HelmError, match="Cannot write to the folder of the run, .*file/run: Not a directory"):
        try_lock_run(str(tmp_path / "file" / "run"))


def test_a_dead_lock_is_removed_where_that_is_possible(path, monkeypatch):
    remove_dead_lock(path)
    assert not os.path.exists(path), "nothing is made"
    held = try_lock_run(path)
    remove_dead_lock(path)
    assert os.listdir(path) == [LOCK_FILE_NAME], "it is not dead"
    held.release()
    with open(os.path.join(path, LOCK_FILE_NAME), "w") as file:
        file.write("{}")

    def refuse(_):
        raise OSError(errno.EROFS, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(run_lock, "try_file_lock", refuse)
        remove_dead_lock(path)
    assert os.listdir(path) == [LOCK_FILE_NAME]
    remove_dead_lock(path)
    assert os.listdir(path) == []


# --- what another process has done meanwhile --------------------------------------------------------------------------

BEGAN = 1_700_000_000


def write_results(path, seconds=BEGAN, leave_out=None, **more):
    """The files of a finished run, its scores written at the time that is given."""
    os.makedirs(path, exist_ok=True)
    files = {"run_spec.json": dump_json(SPEC), "coverage.json": "{}", "per_instance_stats.json": "[]", **more}
    for name, text in files.items():
        if name != leave_out:
            with open(os.path.join(path, name), "w") as file:
                file.write(text)
    scores = os.path.join(path, "per_instance_stats.json")
    if os.path.exists(scores):
        os.utime(scores, ns=(0, round(seconds * 1e9)))


@pytest.mark.parametrize(
    "options, is_done",
    [
        ({}, True),
        ({"seconds": BEGAN + 60}, True),
        ({"seconds": BEGAN - 1}, False),
        ({"leave_out": "per_instance_stats.json"}, False),
        ({"leave_out": "coverage.json"}, False),
        ({"error.json": "{}"}, False),
        ({"run_spec.json": dump_json(SPEC).replace("a.Scenario", "b.Scenario")}, False),
    ],
)
def test_which_results_are_of_another_process_beside_this_command(path, options, is_done):
    write_results(path, **options)
    assert RunLocks(BEGAN).is_done_meanwhile(SPEC, path) is is_done


def test_what_this_process_made_itself_is_made_again_when_it_is_asked_for_again(path):
    locks = RunLocks(BEGAN)
    assert locks.is_done_meanwhile(SPEC, path) is False
    write_results(path, BEGAN + 1)
    locks.note_made("name", path)
    assert locks.is_done_meanwhile(SPEC, path) is False
    write_results(path, BEGAN + 2)
    assert locks.is_done_meanwhile(SPEC, path) is True, "since then somebody else has made it"


@pytest.mark.parametrize("later, is_done", [(None, False), (-50, True)])
def test_results_that_changed_while_somebody_made_the_run_are_new_whatever_the_clock_says(path, later, is_done):
    """Two machines with one disk need not have one clock."""
    locks = RunLocks(BEGAN)
    write_results(path, BEGAN - 100)
    lock = try_lock_run(path)
    with locks.leaving_held(), pytest.raises(RunHeldError):
        locks.take("name", path)
    if later is not None:
        write_results(path, BEGAN + later)
        with locks.leaving_held(), pytest.raises(RunHeldError):
            locks.take("name", path)
    lock.release()
    assert locks.is_done_meanwhile(SPEC, path) is is_done


def test_a_command_begins_now_unless_that_is_told(path):
    write_results(path, time.time() - 3600)
    assert RunLocks().is_done_meanwhile(SPEC, path) is False
    write_results(path, time.time() + 3600)
    assert RunLocks().is_done_meanwhile(SPEC, path) is True
