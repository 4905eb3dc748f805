"""`helm-run` says how far it is while it runs, and `helm-watch` says the same elsewhere."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.benchmark import run
from helm.benchmark.commands import watch
from helm.clients.pacing.limiter import forget_limiters
from helm.common.telemetry.progress_report import read_progress

SUITE = "benchmark_output/runs/default"


@pytest.fixture
def server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def folder(tmp_path, server, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.origin}/v1")
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    for name in "abc":
        questions = [
            {
                "input": {"text": f"{name} {i}?"},
                "references": [{"output": {"text": "hi there"}, "tags": ["correct"]}],
                "split": "test",
            }
            for i in range(20)
        ]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(question) + "\n" for question in questions))
    yield tmp_path
    forget_limiters()


def arguments(*names, flags=(), model="openai-compat/m"):
    entries = [f"custom_mcqa:path={os.getcwd()}/{name}.jsonl,num_train_instances=0,model={model}" for name in names]
    return ["-r", *entries, "-m", "20", *flags]


def helm_run(*names, **more):
    try:
        run.main(arguments(*names, **more))
    except SystemExit as e:
        return e.code
    return 0


def start(*names, stdout=subprocess.DEVNULL, **more):
    command = [sys.executable, "-m", "helm.benchmark.run", *arguments(*names, **more)]
    return subprocess.Popen(command, stdout=stdout, stderr=stdout, text=True)


def wait_for(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"did not happen within {seconds} s")


def commands():
    report = read_progress(SUITE)
    return report.commands if report else []


def the_command():
    (command,) = commands()
    return command


def test_a_command_that_has_ended(server):
    assert helm_run("a", "b") == 0
    command = the_command()
    assert command.state == "finished" and command.is_over and command.pid == os.getpid()
    assert [(run.state, run.done, run.total, run.outcomes) for run in command.runs] == [
        ("done", 20, 20, {"ok": 20})
    ] * 2
    assert command.tokens.prompt == 40 * 7 and command.eta is None and command.errors == {}
    (endpoint,) = command.endpoints
    assert endpoint.endpoint == server.origin and endpoint.sent == 40 and endpoint.in_flight == endpoint.waiting == 0


def test_answers_from_the_cache_and_runs_that_are_skipped():
    assert helm_run("a") == 0
    assert helm_run("a", "b") == 0
    assert [run.cached for run in the_command().runs] == [20, 0]
    assert helm_run("a", "b", flags=["--skip-completed-runs"]) == 0
    assert [(run.state, run.stage, run.total) for run in the_command().runs] == [("skipped", None, None)] * 2


def test_a_failed_run_is_there_with_its_error(server):
    Path("b.jsonl").write_text("{\n")
    assert helm_run("a", "b") == 1
    command = the_command()
    good, bad = command.runs
    assert (command.state, good.state, bad.state, bad.stage) == ("failed", "done", "failed", "instances")
    assert bad.error_type in command.errors and "b.jsonl" in bad.message


def test_failed_requests_are_counted_by_outcome(server):
    server.faults = [faults.FILTERED] * 3 + [faults.OK]
    assert helm_run("a", flags=["--on-failure", "exclude", "-n", "1"]) == 0
    command = the_command()
    assert command.failures == {"filtered": 3} and command.runs[0].outcomes == {"ok": 17, "filtered": 3}


def test_tries_that_failed_are_seen_though_the_next_ones_succeed(server, monkeypatch):
    monkeypatch.delenv("HELM_RETRIES")
    server.faults = [faults.SERVER_ERROR_RETRY_AFTER] * 2 + [faults.OK]  # longer than the second between reports
    process = start("a", flags=["-n", "2"])
    wait_for(lambda: commands() and any(e.retrying for e in commands()[0].endpoints))
    assert process.wait(120) == 0
    command = the_command()
    (endpoint,) = command.endpoints
    assert endpoint.failed_tries == {"server": 2} and endpoint.retrying == 0 and command.failures == {}


def test_what_is_left_of_a_budget(server):
    assert helm_run("a", "b", flags=["--max-tokens-total", "50", "-n", "1", "--disable-cache"]) == 3
    command = the_command()
    assert command.state == "out_of_budget" and "--max-tokens-total" in command.message
    assert command.budget.max_tokens == 50 and command.budget.tokens_left == 0
    assert command.runs[0].state == "stopped" and sum(run.done for run in command.runs) == 5
    assert helm_run("a", "b", flags=["-n", "1", "--disable-cache"]) == 0
    assert sum(run.resumed for run in the_command().runs) == 5


def test_a_dry_run_leaves_the_file_of_the_suite_alone():
    assert helm_run("a", flags=["--dry-run"]) == 0
    assert not Path(SUITE, "progress.json").exists()


def test_a_file_that_cannot_be_written_ends_nothing(capsys):
    Path(SUITE, "progress.json").mkdir(parents=True)
    assert helm_run("a") == 0
    assert "Cannot write benchmark_output/runs/default/progress.json" in capsys.readouterr().err


def test_while_it_runs_and_when_it_is_interrupted(server):
    server.latency_s = 0.5
    process = start("a", "b", flags=["-n", "2"])
    command = wait_for(lambda: next((c for c in commands() if c.rate and c.rate.requests_per_s), None))
    assert command.state_at() == "running" and command.pid == process.pid
    assert {run.state for run in command.runs} == {"running"} and command.runs[0].stage == "execution"
    assert command.endpoints[0].in_flight == 2 and command.endpoints[0].waiting == 2
    server.latency_s = 5
    time.sleep(0.6)
    process.send_signal(signal.SIGINT)
    wait_for(lambda: the_command().state == "stopping")
    assert process.wait(120) == 130
    command = the_command()
    assert command.state == "interrupted" and {run.state for run in command.runs} == {"stopped"}
    watched = subprocess.run([sys.executable, "-m", "helm.benchmark.commands.watch"], capture_output=True, text=True)
    assert watched.returncode == 1 and watched.stdout.startswith("default: interrupted after ")


def test_a_killed_command_is_seen_to_be_killed(server, capsys):
    server.latency_s = 0.5
    process = start("a", flags=["-n", "1"])
    wait_for(lambda: commands() and commands()[0].runs[0].done)
    process.kill()
    process.wait()
    assert the_command().is_gone
    wait_for(lambda: the_command().state_at() == "killed")
    with pytest.raises(SystemExit) as e:
        watch.main([])
    assert e.value.code == 1 and capsys.readouterr().out.startswith("default: killed after ")
    assert helm_run("a") == 0
    assert the_command().state == "finished" and the_command().runs[0].resumed >= 1


def test_two_commands_in_one_suite_at_once(server):
    server.latency_s = 0.4
    processes = [start(name, flags=["-n", "2"]) for name in "ab"]
    wait_for(lambda: len(commands()) == 2 and all(c.state == "running" for c in commands()))
    assert watch.watch(SUITE, "none")
    assert [process.wait(120) for process in processes] == [0, 0]
    assert {c.pid: (c.state, c.runs[0].done) for c in commands()} == {p.pid: ("finished", 20) for p in processes}


def test_watch_says_which_suites_there_are(server, capsys):
    assert helm_run("a") == 0
    with pytest.raises(SystemExit):
        watch.main(["--suite", "defualt"])
    assert "Suites that have: default. Did you mean 'default'?" in capsys.readouterr().err


def test_watch_once(server, capsys):
    assert helm_run("a") == 0
    capsys.readouterr()
    watch.main(["--once"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("default: finished after ") and lines[1].startswith("  1 of 1 run, 20 of 20 requests")


def test_without_a_terminal_there_are_only_lines(server):
    server.latency_s = 0.56
    process = start("a", flags=["-n", "1"], stdout=subprocess.PIPE)
    output = "".join(process.communicate(timeout=120))
    said = [line for line in output.splitlines() if "Progress: " in line]
    assert len(said) == 1 and "0 of 1 run, " in said[0] and "\r" not in output and "\x1b" not in output


def read_terminal(command, columns=80, environment=None, until=None):
    """What a command writes to a terminal, and its exit status."""
    import fcntl
    import struct
    import termios

    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, *command], {**os.environ, "TERM": "xterm", **(environment or {})})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    output, deadline = b"", time.monotonic() + 120
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        try:
            data = os.read(terminal, 65536) if ready else b""
        except OSError:
            break
        output += data
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return output.decode(), os.waitstatus_to_exitcode(status)


@pytest.mark.parametrize("columns, no_color", [(80, False), (30, True)])
def test_a_terminal_has_a_panel_below_whole_log_lines(server, columns, no_color):
    pytest.importorskip("rich")
    server.latency_s = 0.5
    environment = {"NO_COLOR": "1"} if no_color else {}
    command = ["-m", "helm.benchmark.run", *arguments("a", flags=["-n", "5", "-v"])]
    output, status = read_terminal(command, columns, environment)
    assert status == 0
    assert "default running" in re.sub(r"\x1b\[[0-9;]*m", "", output) and "of 20 requests" in output
    colored = [code for code in re.findall(r"\x1b\[([0-9;]*)m", output) if re.search(r"(^|;)3[1-7]($|;)", code)]
    assert bool(colored) is not no_color
    assert re.search(r"INFO +Done\.\r\n", output), "log lines are whole, however narrow the terminal is"
    assert output.rstrip().endswith("--suite default"), "the panel is gone in the end"


def test_a_terminal_without_rich_has_one_bar(server):
    server.latency_s = 0.5
    code = (
        "import sys; sys.modules['rich'] = None; import importlib.util as u; f = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n == 'rich' else f(n, *a)\n"
        f"from helm.benchmark.run import main; main({arguments('a', flags=['-n', '5'])!r})"
    )
    output, status = read_terminal(["-c", code])
    assert status == 0
    bars = [part for part in output.split("\r") if "%|" in part]
    assert any(re.search(r"0 of 1 run, \d+ of 20 requests", bar) for bar in bars), bars


def test_a_dumb_terminal_has_lines(server):
    command = ["-m", "helm.benchmark.run", *arguments("a")]
    output, status = read_terminal(command, environment={"TERM": "dumb"})
    assert status == 0 and "\x1b" not in output.replace("\x1b[33m", "").replace("\x1b[0m", "") and "%|" not in output


# --- other subjects


TOOL = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answer = {"id": message["id"]}
    if message["kind"] == "define":
        answer["success"] = True
    elif message["kind"] == "evaluate":
        answer.update(success=True, output=0.0, timings=[{"name": "evaluate", "nanoseconds": 5}])
    print(json.dumps(answer), flush=True)
"""


def test_evaluations_of_ad_tools_and_episodes_with_compilers():
    Path("quick.py").write_text(TOOL)
    entries = ["gradbench_llsq:n=4+5,m=2,model=tool/quick.py", "llvm:program=all,model=llvm/Oz"]
    run.main(["-r", *entries, "-m", "3"])
    tool, compiler = the_command().runs
    assert (tool.unit, tool.done, tool.total, tool.outcomes) == ("evaluations", 3, 3, {"ok": 3})
    assert (compiler.unit, compiler.done, compiler.total, compiler.outcomes) == ("episodes", 3, 3, {"ok": 3})


PLUGIN = """
import threading
import time

from helm.clients.client import CachingClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request, RequestResult, wrap_request_time

lock = threading.Lock()
now = most = 0


class SleepyClient(CachingClient):
    def __init__(self, cache_config: CacheConfig):
        super().__init__(cache_config=cache_config)

    def make_request(self, request: Request) -> RequestResult:
        raw_request = {"prompt": request.prompt, "max_tokens": request.max_tokens}

        def do_it():
            global now, most
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.1)
            with lock:
                now -= 1
            return {"text": " A"}

        cache_key = CachingClient.make_cache_key(raw_request, request)
        response, cached = self.cache.get(cache_key, wrap_request_time(do_it))
        completions = [GeneratedOutput(text=response["text"], logprob=0, tokens=[])]
        return RequestResult(
            success=True,
            cached=cached,
            request_time=response["request_time"],
            request_datetime=response["request_datetime"],
            completions=completions,
            embedding=[],
        )
"""
DEPLOYMENT = """
model_deployments:
  - name: mine/sleepy
    model_name: mine/sleepy
    tokenizer_name: simple/tokenizer1
    max_sequence_length: 2048
    client_spec:
      class_name: "sleepy_plugin.SleepyClient"
"""
METADATA = """
models:
  - name: mine/sleepy
    display_name: Sleepy
    description: Sleeps.
    creator_organization_name: Mine
    access: open
    release_date: 2024-01-01
    tags: [TEXT_MODEL_TAG]
"""


def test_a_client_that_was_written_for_helm_works_in_threads(folder, monkeypatch):
    Path("sleepy_plugin.py").write_text(PLUGIN)
    Path("prod_env").mkdir()
    Path("prod_env/model_deployments.yaml").write_text(DEPLOYMENT)
    Path("prod_env/model_metadata.yaml").write_text(METADATA)
    monkeypatch.syspath_prepend(str(folder))
    flags = ["--plugins", "sleepy_plugin", "-n", "8"]
    assert helm_run("a", "b", flags=flags, model="mine/sleepy") == 0
    import sleepy_plugin

    assert sleepy_plugin.most == 8, "as many as -n says"
    assert [(run.done, run.cached, run.outcomes) for run in the_command().runs] == [(20, 0, {"ok": 20})] * 2
    states = [json.loads(path.read_text()) for path in Path(SUITE).glob("*/scenario_state.json")]
    texts = [s["result"]["completions"][0]["text"] for state in states for s in state["request_states"]]
    assert texts == [" A"] * 40
    sleepy_plugin.most = 0
    assert helm_run("a", flags=flags, model="mine/sleepy") == 0
    assert the_command().runs[0].cached == 20 and sleepy_plugin.most == 0


def test_the_thread_ends_with_the_command(server):
    assert helm_run("a", flags=["-n", "1"]) == 0
    assert not [thread.name for thread in threading.enumerate() if thread.name == "helm-progress"]
