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
from process_support import eventually, is_running

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


@pytest.mark.filterwarnings("error")
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
    assert eventually(lambda: not any(is_running(pid) for pid in pids))


def test_large_lines_pass_both_ways(stub):
    value = [i / 7 for i in range(300_000)]
    result = stub("large").evaluate(EvaluateRequest(module="toy", function="bad", input=value), 60)
    assert result.output == value


@pytest.mark.filterwarnings("error")
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


@pytest.mark.filterwarnings("error")
def test_close_ends_a_tool_and_the_client_can_start_it_again(stub):
    client = stub("fail")
    client.start(10)
    pid = int(stub.log()[0].split()[1])
    client.close()
    assert not is_running(pid)
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
        assert all(is_running(pid) for pid in pids())
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert eventually(lambda: not any(is_running(pid) for pid in pids()))


def test_the_builtin_tool_is_a_real_process():
    with ToolClient(builtin="numpy") as client:
        assert client.define("hello", 60).success
        result = client.evaluate(EvaluateRequest(module="hello", function="double", input=4.0), 60)
        assert (result.output, client.reported_name) == (8.0, "numpy")
        assert client.define("nonsense", 60).status == "undefined"


_NOTING_TOOL = """
import json, os, signal, sys
for line in sys.stdin:
    message = json.loads(line)
    with open(sys.argv[1], "a") as file:
        file.write(line)
    kind, answer = message["kind"], {"id": message["id"]}
    if message.get("function") == "die":
        sys.stderr.write("x" + "y" * 4000)
        break
    if message.get("function") == "talk":
        print("z" * 201, flush=True)
    if message.get("function") == "interrupt":
        os.kill(os.getppid(), signal.SIGINT)
        continue
    if kind in ("define", "evaluate"):
        good = message.get("function") != "refuse" and message["module"] != "none"
        answer["success"] = good
        if good:
            answer["timings"] = [{"name": kind, "nanoseconds": 7}]
        if kind == "evaluate" and good:
            answer["output"] = [os.environ.get("OMP_NUM_THREADS"), os.getpid()]
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def noting(tmp_path):
    """A client of a tool that notes what it is told, which `noting.messages()` reads."""
    path = tmp_path / "messages"
    client = ToolClient([sys.executable, "-S", "-c", _NOTING_TOOL, str(path)])
    client.messages = lambda: [json.loads(line) for line in path.read_text().splitlines()]
    yield client
    client.close()


def ask_for(function, **fields):
    return EvaluateRequest(module="m", function=function, input=1, **fields)


def test_what_a_tool_is_told(noting):
    noting.analyze(True)
    noting.start(eval_name=None)
    noting.analyze(True)
    assert noting.define("m").timings == [Timing("define", 7)]
    noting.analyze(True)
    noting.evaluate(ask_for("f"))
    noting.analyze(True)
    noting.evaluate(ask_for("f", description="the second"))
    noting.define("m")
    noting.analyze(False, "wrong by 1")
    evaluation = {"kind": "evaluate", "module": "m", "function": "f", "input": 1}
    assert noting.messages() == [
        {"id": 0, "kind": "start"},
        {"id": 1, "kind": "define", "module": "m"},
        {"id": 2, **evaluation},
        {"id": 3, "kind": "analysis", "of": 2, "valid": True},
        {"id": 4, **evaluation, "description": "the second"},
        {"id": 5, "kind": "define", "module": "m"},
        {"id": 6, "kind": "analysis", "of": 4, "valid": False, "error": "wrong by 1"},
    ]


def test_a_tool_is_started_for_what_is_asked_first(noting):
    noting.define("first")
    noting.close()
    noting.evaluate(ask_for("f"))
    starts = [message for message in noting.messages() if message["kind"] == "start"]
    assert starts == [{"id": 0, "kind": "start", "eval": "first"}, {"id": 0, "kind": "start", "eval": "m"}]


@pytest.mark.parametrize("ask", [
    lambda client: client.define("m"), lambda client: client.define("none"), lambda client: client.evaluate(ask_for("f")),
    lambda client: client.evaluate(ask_for("die")),
], ids=["defined", "undefined", "evaluated", "died"])  # fmt: skip
def test_the_time_is_that_of_the_answer(noting, ask):
    noting.start()
    before = time.monotonic_ns()
    elapsed_ns = ask(noting).elapsed_ns
    assert 0 < elapsed_ns <= time.monotonic_ns() - before


def test_a_refusal_without_a_reason_has_one_for_people(noting):
    assert noting.define("none").error == f"The tool {sys.executable} does not define the module none."
    result = noting.evaluate(ask_for("refuse"))
    assert (result.status, result.error) == ("failure", "The tool gave no reason.")


def test_as_much_of_what_a_tool_wrote_is_shown_as_helps(noting):
    error = noting.evaluate(ask_for("die")).error
    assert error.endswith("\n" + "y" * 4000) and "xy" not in error
    error = noting.evaluate(ask_for("talk")).error
    assert error.endswith(": " + "z" * 200) and "z" * 201 not in error


@pytest.mark.filterwarnings("error")
def test_an_interrupt_ends_the_tool_and_goes_on(noting):
    pid = noting.evaluate(ask_for("f")).output[1]
    with pytest.raises(KeyboardInterrupt):
        noting.evaluate(ask_for("interrupt"), 60)
    assert not noting.is_running and not is_running(pid)


def test_libraries_of_a_tool_have_one_thread_unless_more_are_allowed(monkeypatch, tmp_path):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    command = [sys.executable, "-S", "-c", _NOTING_TOOL, str(tmp_path / "messages")]
    for arguments, threads in (({}, "1"), ({"multithreaded": True}, None)):
        with ToolClient(command, **arguments) as client:
            assert client.evaluate(ask_for("f")).output[0] == threads


@pytest.mark.parametrize("arguments, name", [
    ({"command": "a-tool --flag"}, "a-tool"), ({"command": ["a tool", "x"]}, "a tool"), ({"builtin": "numpy"}, "numpy"),
    ({"command": "a-tool", "name": "mine"}, "mine"), ({"builtin": "numpy", "name": "mine"}, "mine"),
])  # fmt: skip
def test_what_a_tool_is_called(arguments, name):
    assert ToolClient(**arguments).name == name


def test_the_version_of_a_builtin_tools_library_is_recorded():
    import numpy

    assert numpy.__version__ in str(ToolClient(builtin="numpy").machine)
    assert numpy.__version__ not in str(ToolClient("a-tool").machine)


def test_another_client_of_a_tool_has_a_process_of_its_own(noting):
    noting.start()
    with noting.another() as other:
        assert not other.is_running
        pids = {client.evaluate(ask_for("f")).output[1] for client in (noting, other)}
        assert len(pids) == 2
    assert noting.is_running
