"""`helm-runs`: the runs of a suite as they are; failed ones are dropped, and tried again by the command it prints."""

import json
import os
import shlex

import pytest

from conformance_server import OK, SERVER_ERROR, ConformanceServer
from helm.benchmark import run
from helm.benchmark.commands import manage_runs
from helm.benchmark.running.run_lock import try_lock_run
from helm.benchmark.running.run_writer import RUN_FILE_NAMES

SUITE = "benchmark_output/runs/mine"
GOOD, BAD = "simple_mcqa:model=simple_model1", "simple_mcqa:model=openai-compat_m"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server(monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    server = ConformanceServer()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    yield server
    server.close()
    forget_limiters()


def call(module, *argv):
    try:
        module.main(list(argv))
    except SystemExit as e:
        return e.code
    return 0


@pytest.fixture
def failed_suite(server, capsys):
    """A suite with one run that is done and one that failed."""
    server.faults = [SERVER_ERROR]
    entries = ["simple_mcqa:model=simple/model1", "simple_mcqa:model=openai-compat/m"]
    assert call(run, "-r", *entries, "-m", "2", "--suite", "mine", "--disable-cache", "--no-probe") == 1
    capsys.readouterr()


def runs(*argv):
    return call(manage_runs, *argv, "--suite", "mine")


def states(capsys, *argv):
    capsys.readouterr()
    assert runs("list", "--json", *argv) == 0
    return {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}


def test_a_failed_run_is_listed_with_its_cause_dropped_and_tried_again(failed_suite, server, capsys):
    found = states(capsys)
    assert {name: entry["state"] for name, entry in found.items()} == {GOOD: "done", BAD: "failed"}
    assert found[BAD]["cause"].startswith("execution: ")
    assert runs("list") == 0
    table = capsys.readouterr().out
    assert "2 runs: 1 done, 1 failed" in table and "execution: " in table

    assert runs("retry") == 0
    command = capsys.readouterr().out.splitlines()
    assert len(command) == 1
    program, *argv = shlex.split(command[0])
    assert program == "helm-run" and argv[-1] == "--skip-completed-runs"

    assert runs("drop", "--dry-run") == 0 and os.path.isdir(f"{SUITE}/{BAD}")
    assert f"{BAD}: would be dropped" in capsys.readouterr().out
    assert runs("drop") == 0 and not os.path.exists(f"{SUITE}/{BAD}")
    assert capsys.readouterr().out == f"{BAD}: dropped\n1 run dropped.\n"
    assert {*states(capsys)} == {GOOD}

    server.faults = [OK]
    good = os.stat(f"{SUITE}/{GOOD}/stats.json").st_mtime_ns
    assert call(run, *argv) == 0
    assert {name: entry["state"] for name, entry in states(capsys).items()} == {GOOD: "done", BAD: "done"}
    assert os.stat(f"{SUITE}/{GOOD}/stats.json").st_mtime_ns == good, "what was done is left alone"
    capsys.readouterr()
    assert runs("retry") == 0
    assert capsys.readouterr() == ("", "No run has failed.\n")


def test_results_of_an_earlier_attempt_survive_the_drop(failed_suite, capsys):
    for name in RUN_FILE_NAMES:
        with open(f"{SUITE}/{BAD}/{name}", "w") as file:
            file.write("{}")
    assert states(capsys)[BAD]["has_results"]
    assert runs("drop") == 0
    assert "(the results of an earlier attempt stay)" in capsys.readouterr().out
    assert sorted(os.listdir(f"{SUITE}/{BAD}")) == sorted(RUN_FILE_NAMES)
    assert states(capsys)[BAD]["state"] == "done"


def make(name, *files):
    os.makedirs(f"{SUITE}/{name}")
    for file in files:
        with open(f"{SUITE}/{name}/{file}", "w") as opened:
            opened.write("{}")


def test_unfinished_and_running_runs(capsys):
    make("a:empty")
    make("b:journal", *RUN_FILE_NAMES, "requests.journal")
    make("c:some", "run_spec.json")
    make("d:done", *RUN_FILE_NAMES)
    make("eval_cache")
    make("inner/e:failed", "error.json")
    make("f:damaged", "error.json")
    with open(f"{SUITE}/f:damaged/error.json", "w") as file:
        file.write("[" * 100_000)
    make("g:running", "error.json")
    lock = try_lock_run(f"{SUITE}/g:running")
    found = states(capsys)
    assert {name: entry["state"] for name, entry in found.items()} == {
        "a:empty": "unfinished",
        "b:journal": "unfinished",
        "c:some": "unfinished",
        "d:done": "done",
        "e:failed": "failed",
        "f:damaged": "failed",
        "g:running": "running",
    }
    assert found["g:running"]["cause"].startswith(f"process {os.getpid()} on host ")
    assert {*states(capsys, "--state", "failed", "running")} == {"e:failed", "f:damaged", "g:running"}
    assert {*states(capsys, "--runs", "b*", "d*")} == {"b:journal", "d:done"}

    assert runs("retry") == 0
    captured = capsys.readouterr()
    assert captured.out == "" and "Of f:damaged, e:failed it" in captured.err

    assert runs("drop") == 0
    assert {*states(capsys)} == {"a:empty", "b:journal", "c:some", "d:done", "g:running"}
    assert runs("drop", "--unfinished", "--runs", "[ab]*") == 0
    assert {*states(capsys)} == {"b:journal", "c:some", "d:done", "g:running"}
    assert states(capsys)["b:journal"]["state"] == "done"
    lock.release()
    assert runs("drop", "--unfinished") == 0
    assert {*states(capsys)} == {"b:journal", "d:done"}


@pytest.mark.parametrize(
    "argv, message",
    [
        (["list", "--suite", "mien"], "There is no suite 'mien'"),
        (["list", "--suite", "../.."], "--suite takes the name of a folder"),
        (["drop", "--runs", "x*"], "None of 1 runs matches x*."),
        (["list", "--state", "gone"], "--state takes done, failed, unfinished, running, not 'gone'."),
    ],
)
def test_what_cannot_be_is_one_line(argv, message, capsys):
    make("a")
    assert call(manage_runs, *argv, *([] if "--suite" in argv else ["--suite", "mine"])) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_passwords_are_not_written():
    words = ["-m", "1", "--cache-uri", "postgresql://me:se:cret@db/x", "--base-url", "http://h/v1?api_key=abc&x=1"]
    line = run.parse_args(words).command
    assert line == "helm-run -m 1 --cache-uri postgresql://me:***@db/x --base-url 'http://h/v1?api_key=***&x=1'"
