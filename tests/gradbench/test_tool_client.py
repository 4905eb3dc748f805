import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helm.benchmark.executing.execution import ExecutorError
from helm.common.errors import ConfigError, HelmError
from helm.common.evaluate_request import EvaluateRequest, Timing
from helm.gradbench.tool_client import ToolClient

STUB = Path(__file__).with_name("stub_tool.py")
GOOD = EvaluateRequest(module="toy", function="f", input=2.5)
BAD = EvaluateRequest(module="toy", function="bad", input=2.5)


@pytest.fixture
def stub(tmp_path):
    """Makes clients of stub tools; all are closed afterwards. `stub.log` is what the stub noted down."""
    clients = []

    def make(mode):
        clients.append(ToolClient([sys.executable, "-S", str(STUB), mode, str(tmp_path / "log")], name="stub"))
        return clients[-1]

    make.log = lambda: (tmp_path / "log").read_text().splitlines() if (tmp_path / "log").exists() else []
    yield make
    for client in clients:
        client.close()


def process_exists(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def eventually(condition, within_s=10.0):
    deadline = time.monotonic() + within_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()


def test_an_evaluation_gives_output_and_timings(stub):
    client = stub("fail")
    assert client.define("toy", 10).success
    result = client.evaluate(GOOD, 10)
    assert (result.success, result.status, result.output) == (True, "ok", 5.0)
    assert result.timings[0] == Timing("prepare", 5)
    assert [timing.nanoseconds for timing in result.timings[1:]] == [3000, 1000, 2000]
    assert result.elapsed_ns > 0
    assert client.reported_name == "stub"
    client.analyze(True, timeout_s=10)
    assert stub.log()[1:] == ["start", "define", "evaluate", "analysis"]


def test_nothing_is_started_before_the_first_question(stub):
    assert not stub("fail").is_running
    assert stub.log() == []


def test_a_module_the_tool_lacks_is_undefined(stub):
    client = stub("fail")
    result = client.define("other", 10)
    assert (result.success, result.status) == (False, "undefined")
    assert "other" in result.error
    assert client.is_running


@pytest.mark.parametrize(
    ("mode", "status", "text"),
    [
        ("fail", "failure", "cannot do that"),
        ("die", "error", "exit code 3"),
        ("leave", "error", "exit code 0"),
        ("signal", "error", f"signal {signal.SIGSEGV.value}"),
        ("garbage", "error", "this is not JSON"),
        ("nan", "error", "broke the protocol"),
        ("no_output", "error", "no output"),
        ("wrong_id", "error", "has the id"),
    ],
)
def test_a_bad_answer_is_a_result_and_the_next_question_works(stub, mode, status, text):
    client = stub(mode)
    result = client.evaluate(BAD, 10)
    assert (result.success, result.status, result.output) == (False, status, None)
    assert text in result.error
    assert client.is_running == (status == "failure")
    assert client.evaluate(GOOD, 10).output == 5.0


def test_the_end_of_standard_error_explains_a_death(stub):
    assert "out of luck" in stub("die").evaluate(BAD, 10).error


@pytest.mark.parametrize("mode", ["hang", "dribble"])
def test_the_limit_counts_for_the_whole_answer(stub, mode):
    client = stub(mode)
    client.start(10)
    start = time.monotonic()
    result = client.evaluate(BAD, 0.3)
    assert (result.success, result.status) == (False, "timeout")
    assert "0.3 s" in result.error
    assert 0.3 <= time.monotonic() - start < 5
    assert not client.is_running
    assert client.evaluate(GOOD, 10).output == 5.0
    assert sum(line.startswith("started") for line in stub.log()) == 2


def test_a_timeout_kills_the_whole_process_group(stub):
    client = stub("child")
    client.start(10)
    assert client.evaluate(BAD, 1.0).status == "timeout"
    pids = [int(line.split()[1]) for line in stub.log() if line.startswith(("started", "child"))]
    assert len(pids) == 2
    assert eventually(lambda: not any(process_exists(pid) for pid in pids))


def test_large_lines_pass_both_ways(stub):
    value = [i / 7 for i in range(300_000)]
    result = stub("large").evaluate(EvaluateRequest(module="toy", function="bad", input=value), 60)
    assert result.output == value


def test_a_command_that_does_not_exist_raises():
    with pytest.raises(ExecutorError, match="no-such-tool.*No such file or directory"):
        ToolClient("no-such-tool --flag").define("toy", 10)


@pytest.mark.parametrize(("mode", "text"), [("no_start", "exit code 4"), ("mute", "no answer within 0.3 s")])
def test_a_tool_that_does_not_start_raises(stub, mode, text):
    with pytest.raises(ExecutorError, match=text):
        stub(mode).define("toy", 0.3 if mode == "mute" else 10)


def test_a_wrong_builtin_name_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match="numpi.*Did you mean 'numpy'"):
        ToolClient(builtin="numpi")


@pytest.mark.parametrize("arguments", [{}, {"command": "x", "builtin": "numpy"}, {"command": ""}, {"command": []}])
def test_exactly_one_way_of_naming_a_tool_is_accepted(arguments):
    with pytest.raises(HelmError):
        ToolClient(**arguments)


def test_close_ends_a_tool_and_the_client_can_start_it_again(stub):
    client = stub("fail")
    client.start(10)
    pid = int(stub.log()[0].split()[1])
    client.close()
    assert not process_exists(pid)
    assert client.evaluate(GOOD, 10).success


def test_a_tool_does_not_outlive_a_killed_interpreter(tmp_path):
    """The tool hangs and would never notice by itself."""
    log = tmp_path / "log"
    command = [sys.executable, "-S", str(STUB), "child", str(log)]
    program = (
        "import json, sys\n"
        "from helm.gradbench.tool_client import ToolClient\n"
        "from helm.common.evaluate_request import EvaluateRequest\n"
        "client = ToolClient(json.loads(sys.argv[1]))\n"
        "client.evaluate(EvaluateRequest(module='toy', function='bad', input=1), 100)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, json.dumps(command)])

    def pids():
        lines = log.read_text().splitlines() if log.exists() else []
        return [int(line.split()[1]) for line in lines if line.startswith(("started", "child"))]

    try:
        assert eventually(lambda: len(pids()) == 2)
        assert all(process_exists(pid) for pid in pids())
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert eventually(lambda: not any(process_exists(pid) for pid in pids()))


def test_the_builtin_tool_is_a_real_process():
    with ToolClient(builtin="numpy") as client:
        assert client.define("hello", 60).success
        result = client.evaluate(EvaluateRequest(module="hello", function="double", input=4.0), 60)
        assert (result.output, client.reported_name) == (8.0, "numpy")
        assert client.define("nonsense", 60).status == "undefined"
