"""Whole sessions: of tools fed with messages, and of evals with tools between them."""

import json
import shlex
import subprocess
import sys

import pytest

from helm.gradbench.evals.driver import EvalDriver, parse_eval
from helm.gradbench.evals.registry import EVAL_NAMES
from helm.gradbench.intermediary import Outcome
from turns_support import by_turns
from vectors_support import vector_cases

GRADBENCH = [sys.executable, "-m", "helm.gradbench.main"]


def modules_of(case):
    modules = set()
    for line in case["lines"]:
        try:
            modules.add(json.loads(line)["module"])
        except (ValueError, KeyError):
            pass
    return modules - {"nosuchmodule"}


TOOL_CASES = {}
for _case in vector_cases("gradbench/tool_sessions.json"):
    if modules_of(_case) <= set(EVAL_NAMES):
        TOOL_CASES.setdefault(_case["name"], []).append(_case)


@pytest.mark.parametrize(("name", "tool"), by_turns(TOOL_CASES, ["numpy", "finite"]))
def test_vector_of_a_tool_session(name, tool):
    """Every answer is one that an original gives; where they die, ours says that it failed, if it can answer at all."""
    cases = TOOL_CASES[name]
    lines = cases[0]["lines"]
    assert all(case["lines"] == lines for case in cases)
    text = "".join(line + "\n" for line in lines)
    process = subprocess.run([*GRADBENCH, "tool", tool], input=text.encode(), capture_output=True, timeout=60)
    responses = [json.loads(line) for line in process.stdout.splitlines()]
    for i, (line, response) in enumerate(zip(lines, responses, strict=False)):
        originals = [case["responses"][i] if i < len(case["responses"]) else None for case in cases]
        faults = [fault_of_a_response(json.loads(line), original, response, tool) for original in originals]
        assert None in faults, faults
    unanswerable = [line for line in lines if not is_object_with_id(line)]
    assert len(responses) == (lines.index(unanswerable[0]) if unanswerable else len(lines))
    assert process.returncode == (1 if unanswerable else 0)


def fault_of_a_response(message, expected, response, tool):
    """What distinguishes a response from the expected one; None when nothing does that matters."""
    if expected is None:
        is_failure = response["id"] == message["id"] and response.get("success") is False and response.get("error")
        return None if is_failure else f"{response} answers what an original dies of"
    if response["id"] != expected["id"] or response.get("success") != expected.get("success"):
        return f"{response} is not {expected}"
    if message["kind"] == "start" and response["tool"] != tool:
        return f"{response} does not name {tool}"
    if ("error" in response) != (expected.get("success") is False):
        return f"{response} with success {expected.get('success')}"
    if "output" in expected:
        if response["output"] != pytest.approx(expected["output"], abs=1e-9):
            return f"{response['output']} is not {expected['output']}"
        count = expected["timing_names"]["evaluate"]
        times = [timing["nanoseconds"] for timing in response["timings"] if timing["name"] == "evaluate"]
        if len(times) < 2 if count == "many" else len(times) != count:
            return f"{len(times)} timings, not {count}"
        if sum(times) < 1e9 * expected["evaluate_seconds_total_at_least"]:
            return f"{sum(times)} ns are less than asked for"
    return None


def is_object_with_id(line):
    try:
        return "id" in json.loads(line)
    except ValueError:
        return False


class RecordedTool:
    """The responses of a recorded exchange, as a driver's input; what the driver writes is kept."""

    def __init__(self, exchange):
        self.responses = [value for kind, value in exchange if kind == "response"]
        self.messages = []

    def write(self, data):
        self.messages.append(json.loads(data))

    def flush(self):
        pass

    def readline(self):
        if not self.responses:
            return b""
        response = dict(self.responses.pop(0))
        if isinstance(response.get("error"), dict):
            response["error"] = response["error"]["last_line"]
        return json.dumps(response).encode() + b"\n"


def write_problems(exchange, folder):
    """The files that a recorded session of ba had read."""
    for kind, message in exchange:
        if kind == "message" and message["kind"] == "evaluate":
            value = message["input"]
            rows = [[value[size] for size in "nmp"], value["cam"], value["x"], [value["w"]], value["feat"]]
            text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
            (folder / f"{message['description']}.txt").write_text(text)


SESSIONS = [case for case in vector_cases("gradbench/sessions.json", "sessions") if case["eval"] in EVAL_NAMES]


@pytest.mark.parametrize("case", SESSIONS, ids=lambda case: f"{case['eval']}-{case['tool']}-{case['spoil']}")
def test_vector_of_an_eval_session(case, tmp_path):
    """Given the recorded answers, our eval asks and judges like the original."""
    tool = RecordedTool(case["exchange"])
    flags = shlex.split(case["flags"])
    if case["eval"] == "ba":
        flags += ["--data", str(tmp_path)]
        write_problems(case["exchange"], tmp_path)
    EvalDriver(parse_eval(case["eval"], flags), tool, tool).run()
    expected = [value for kind, value in case["exchange"] if kind == "message"]
    # Recordings end where a tool died; the last message was never answered, so our eval stops after it as well.
    assert len(tool.messages) == len(expected)
    for ours, theirs in zip(tool.messages, expected, strict=True):
        error, wanted = ours.pop("error", None), theirs.pop("error", None)
        assert ours == theirs
        if isinstance(wanted, dict):  # a traceback: its own lines differ
            assert error.splitlines()[0] == wanted["first_line"]
            if not error.startswith("golden implementation failed"):  # how that died is its own affair
                assert error.splitlines()[-1] == wanted["last_line"]
        else:
            assert words_and_numbers(error) == [about(word) for word in words_and_numbers(wanted)]


def words_and_numbers(text):
    """Golden values are equal up to the order of summation; the last digits of the texts may not be."""
    words = []
    for word in (text or "").split():
        try:
            words.append(float(word))
        except ValueError:
            words.append(word)
    return words


def about(word):
    return pytest.approx(word, rel=1e-11, abs=0.0) if isinstance(word, float) else word


OWN_RUNS = [
    "hello",
    "llsq -n 16 33 -m 7 --min-seconds 0",
    "gmm -d 1 3 -k 2 -n 20 --min-runs 2 --min-seconds 0.001",
    "lse -n 3 200 --min-seconds 0",
    "kmeans -k 2 5 -n 40 -d 1 3 --min-seconds 0",
    "det -l 2 5 6 --min-seconds 0",
    "ode -n 1 4 30 -s 20 --min-seconds 0",
    "lstm -l 1 2 -c 2 12 --min-seconds 0",
    "ba --max 1 --min-seconds 0",
    "ht --max 2 --model small --min-seconds 0",
    "particle --min-runs 2 --min-seconds 0",
    "saddle --min-seconds 0",
    "ht --max 1 --variant simple --model small --min-seconds 0",
]


def test_every_eval_is_run():
    assert {flags.split()[0] for flags in OWN_RUNS} == set(EVAL_NAMES)


# The other half of the pairs is solved by the Runner in test_gradbench_runner_parts.py.
@pytest.mark.parametrize(("flags", "tool"), by_turns(OWN_RUNS, ["numpy", "finite"], shift=1))
def test_a_run_with_our_own_eval_and_tool_succeeds(flags, tool, tmp_path):
    log = tmp_path / "log.jsonl"
    eval_command = shlex.join([*GRADBENCH, "eval", *flags.split()])
    tool_command = shlex.join([*GRADBENCH, "tool", tool])
    command = [*GRADBENCH, "run", "--eval", eval_command, "--tool", tool_command, "-o", str(log), "--strict"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (process.returncode, process.stderr) == (Outcome.SUCCESS.exit_code, "")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    analyses = [line["message"] for line in lines if line.get("message", {}).get("kind") == "analysis"]
    assert analyses and all(analysis["valid"] for analysis in analyses)
    assert process.stdout.count("✓") == len(analyses) + 1


def test_a_builtin_tool_ends_in_the_middle_of_an_evaluation_when_nobody_reads_it():
    """As after the death of whoever asked; the evaluation alone would go on for half a minute."""
    process = subprocess.Popen([*GRADBENCH, "tool", "numpy"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b'{"id": 0, "kind": "start"}\n')
    process.stdin.flush()
    start = json.loads(process.stdout.readline())
    assert (start["id"], start["tool"]) == (0, "numpy")
    assert {"cpu", "cores", "governor", "threads", "system", "python", "numpy"} <= set(start["machine"])
    value = {"x": [0.5], "n": 2, "min_runs": 1, "min_seconds": 30}
    message = {"id": 1, "kind": "evaluate", "module": "llsq", "function": "primal", "input": value}
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    process.stdin.close()
    process.stdout.close()
    assert process.wait(timeout=20) == 1
