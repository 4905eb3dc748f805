"""Tools and evals that write without end, or nest without end: told, ended, and never in memory. Real processes."""

import os
import resource
import shlex
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from helm.common.errors import ConfigError
from helm.common.evaluate_request import STATUS_ERROR, EvaluateRequest
from helm.common.processes import line_process
from helm.common.processes.line_process import Interrupted, LineProcess, LineTooLong
from helm.gradbench.tool_client import ToolClient

ENDLESS_LINE = "import sys\nwhile True: sys.stdout.buffer.write(b'x' * (1 << 16))"
ENDLESS_LINES = "import sys\nwhile True: sys.stdout.buffer.write(b'{}\\n' * (1 << 14))"
NEVER_READ = "while True: print('y' * 1000)"
TOOL = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    answer = {"id": message["id"]}
    if message["kind"] == "define":
        answer["success"] = True
    if message["kind"] == "evaluate":
        depth = message["input"]
        print('{"id": %d, "success": true, "output": %s}' % (message["id"], "[" * depth + "]" * depth), flush=True)
        continue
    print(json.dumps(answer), flush=True)
"""


def words(code):
    return [sys.executable, "-I", "-S", "-c", code]


def test_a_line_without_end_is_no_answer_and_the_tool_is_gone(monkeypatch):
    monkeypatch.setenv("HELM_MAX_LINE_MIB", "2")
    code = "print('{\"id\": 0}', flush=True); input(); input()\n" + ENDLESS_LINE
    tool = ToolClient(words(code), name="talker")
    result = tool.define("gmm", timeout_s=60)
    assert result.success is False and result.status == STATUS_ERROR
    assert "the tool wrote more than 2 MiB" in result.error and "HELM_MAX_LINE_MIB" in result.error
    assert not tool.is_running


@pytest.mark.parametrize("code", [ENDLESS_LINES, NEVER_READ])
def test_nor_are_lines_that_nobody_asked_for(monkeypatch, code):
    """The child does not read, so the line that is written to it never gets there."""
    monkeypatch.setenv("HELM_MAX_LINE_MIB", "1")
    process = LineProcess(words(code), name="tool")
    try:
        with pytest.raises(LineTooLong, match="the tool wrote more than 1 MiB"):
            process.write(b"x" * (8 << 20) + b"\n")
    finally:
        process.kill()
        process.close_pipes()


@pytest.fixture
def run():
    """Starts children, which are gone in the end."""
    processes = []

    def run(code, **arguments):
        processes.append(LineProcess(words(code), **arguments))
        return processes[-1]

    yield run
    for process in processes:
        process.kill()
        process.close_pipes()


def test_the_limit_is_as_long_as_a_line_may_be(run, monkeypatch):
    monkeypatch.setenv("HELM_MAX_LINE_MIB", "1")
    write = "import sys; sys.stdin.readline(); sys.stdout.write('x' * {} + chr(10)); sys.stdout.flush(); input()"
    longest, longer = run(write.format((1 << 20) - 1)), run(write.format(1 << 20))
    for process in (longest, longer):
        process.write(b"go\n")
    assert longest.read_line(time.monotonic() + 60) == b"x" * ((1 << 20) - 1) + b"\n"
    with pytest.raises(LineTooLong, match="the process wrote more than 1 MiB without the end of a line"):
        longer.read_line(time.monotonic() + 60)


def test_a_child_that_does_not_read_keeps_nobody_beyond_the_deadline(run):
    process = run("import time; time.sleep(20)")
    with pytest.raises(TimeoutError):
        process.write(b"x" * (8 << 20), time.monotonic() + 0.3)
    assert process.is_running()


def test_lines_are_given_one_by_one_and_the_last_may_lack_its_end(run):
    process = run("import sys; sys.stdout.write('a\\nb\\n\\nlast')")
    limit = time.monotonic() + 60
    assert [bytes(process.read_line(limit)) for _ in range(6)] == [b"a\n", b"b\n", b"\n", b"last", b"", b""]


def test_an_interrupt_ends_every_wait(run):
    reader, writer = os.pipe()
    os.write(writer, b"x")
    try:
        for wait in (
            lambda process: process.read_line(),
            lambda process: process.write(b"x" * (8 << 20)),
            lambda process: process.finish(60),
        ):
            process = run("import time; time.sleep(600)", interrupt_fd=reader)
            with pytest.raises(Interrupted):
                wait(process)
        assert not process.is_running()
    finally:
        os.close(reader), os.close(writer)


def test_after_its_end_a_child_is_written_to_no_more(run):
    process = run("pass")
    process.finish(60)
    assert process.returncode == 0
    with pytest.raises(BrokenPipeError, match="Broken pipe"):
        process.write(b"x")


def test_only_a_guarded_child_has_a_guard(run):
    assert run("input()")._guard is None and run("input()", guarded=True)._guard.poll() is None


def test_lines_up_to_the_limit_are_read_however_many(monkeypatch):
    monkeypatch.setenv("HELM_MAX_LINE_MIB", "1")
    code = "import sys\nfor line in sys.stdin: print('x' * 1000000, flush=True)"
    process = LineProcess(words(code))
    try:
        for _ in range(5):
            process.write(b"go\n")
            assert len(process.read_line(time.monotonic() + 60)) == 1_000_001
    finally:
        process.kill()
        process.close_pipes()


@pytest.mark.parametrize("side", ["eval", "tool"])
def test_gradbench_run_names_the_side_that_talks_without_end(side):
    hello = words('import sys\nprint(\'{"id": 0, "kind": "start"}\', flush=True)\nsys.stdin.read()')
    commands = {"eval": hello, "tool": words("import sys\nsys.stdin.read()")}
    commands[side] = words(ENDLESS_LINE)
    args = [f"--{name}={shlex.join(command)}" for name, command in commands.items()]
    done = subprocess.run(
        [sys.executable, "-m", "helm.gradbench.main", "run", *args],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "HELM_MAX_LINE_MIB": "4"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
    )
    assert done.returncode == 1 and f"the {side} wrote more than 4 MiB" in done.stdout + done.stderr, done.stderr


def test_the_limit_is_a_number(monkeypatch):
    monkeypatch.setenv("HELM_MAX_LINE_MIB", "many")
    with pytest.raises(ConfigError, match="HELM_MAX_LINE_MIB takes a whole number of MiB"):
        LineProcess(words("pass"))


@pytest.mark.parametrize("depth", [300, 900, 100_000])
def test_an_output_that_is_nested_without_end_cannot_be_read(depth):
    with ToolClient(words(TOOL)) as tool:
        request = EvaluateRequest(module="m", function="f", input=depth)
        result = tool.evaluate(request, timeout_s=60)
        assert result.success is False and result.status == STATUS_ERROR and result.output is None
        assert "deep" in result.error or "recursion" in result.error, result.error
        shallow = tool.evaluate(EvaluateRequest(module="m", function="f", input=3), timeout_s=60)
        assert shallow.success and shallow.output == [[[]]]


def test_without_a_setting_a_line_may_have_512_mib(run, monkeypatch):
    monkeypatch.delenv("HELM_MAX_LINE_MIB", raising=False)
    assert run("input()")._max_bytes == 512 << 20


def test_a_wait_is_a_second_or_what_is_left_of_the_time(run, monkeypatch):
    process, asked = run("input()"), []

    class Poller:
        def poll(self, milliseconds):
            asked.append(milliseconds)
            if len(asked) % 2 == 0:
                raise InterruptedError
            return []

    process._answers = Poller()
    monkeypatch.setattr(line_process, "time", SimpleNamespace(monotonic=lambda: 100.0))
    for deadline, milliseconds in ((None, 1000), (100.25, 250), (200.0, 1000)):
        asked.clear()
        with pytest.raises(InterruptedError):
            process.read_line(deadline)
        assert asked == [milliseconds] * 2
    for deadline in (99.0, 100.0):
        asked.clear()
        with pytest.raises(TimeoutError):
            process.read_line(deadline)
        assert asked == [0], "what is there already is read"


def test_the_time_to_end_is_waited_for_in_steps(run, monkeypatch):
    process, now, pauses = run("import time; time.sleep(600)"), [100.0], []

    def sleep(seconds):
        pauses.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(process, "_sleep", sleep)
    monkeypatch.setattr(line_process, "time", SimpleNamespace(monotonic=lambda: now[0]))
    process.finish(0.125)
    assert pauses == pytest.approx([0.05, 0.05, 0.025])
    assert process.returncode == -9


def test_what_was_read_of_too_much_is_let_go(run):
    process = run("import time; print('a\\nb\\nc', end='', flush=True); input(); print('d' * 99, flush=True); input()")
    assert process.read_line(time.monotonic() + 60) == b"a\n"
    process._max_bytes = 50
    process.write(b"go\n")
    with pytest.raises(LineTooLong):
        while True:
            process._poll(time.monotonic() + 60, write=False)
            process._receive()
    assert not process._lines and not process._partial
