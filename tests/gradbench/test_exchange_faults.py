"""What `gradbench run` makes of broken evals and tools: the right outcome, a readable log, and no process left."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helm.common.processes import line_process
from helm.gradbench import main as gradbench
from process_support import command_lines
from turns_support import by_turns

SCRIPT = Path(__file__).with_name("scripted_process.py")
MESSAGES = [
    '{"id": 0, "kind": "start", "eval": "toy"}',
    '{"id": 1, "kind": "define", "module": "toy"}',
    '{"id": 2, "kind": "evaluate", "module": "toy", "function": "f", "description": "d", "input": 1}',
    '{"id": 3, "kind": "analysis", "of": 2, "valid": true}',
]
ANSWERS = [
    '{"id": 0, "tool": "stub"}',
    '{"id": 1, "success": true}',
    '{"id": 2, "success": true, "output": 1}',
    '{"id": 3}',
]
LOG_LINE = re.compile(rb'\{ "elapsed": \{ "nanoseconds": \d+ \}, "(message|response)": (.*) \}\n', re.DOTALL)

SUCCESS, ERROR, TIMEOUT, INTERRUPT = 0, 1, 5, 6


def good_eval(steps=4):
    return [action for line in MESSAGES[:steps] for action in ({"send": line}, {"recv": 1})]


def good_tool(steps=4):
    return [action for line in ANSWERS[:steps] for action in ({"recv": 1}, {"send": line})]


def command(folder, side, actions, before=""):
    """A command that performs `actions`; `before` is Python that it runs first."""
    script = folder / f"{side}.json"
    script.write_text(json.dumps(actions))
    words = [str(SCRIPT), str(script), str(folder / f"{side}.received")]
    if before:
        code = f"{before}\nimport runpy, sys\nsys.argv = {words!r}\nrunpy.run_path(sys.argv[0], run_name='__main__')"
        words = ["-c", code]
    return shlex.join([sys.executable, "-I", "-S", *words])


def processes_of(folder):
    return [pid for pid, words in command_lines() if str(folder).encode() in words and pid != os.getpid()]


def assert_none_left(folder, within_s=30.0):
    """A process that was killed is there until the kernel has run it once more: on a busy machine that takes a moment."""
    deadline = time.monotonic() + within_s
    while (left := processes_of(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == []


def read_log(folder):
    """The kinds of the log's lines; every line must be whole."""
    kinds = []
    for line in (folder / "log.jsonl").read_bytes().splitlines(keepends=True):
        match = LOG_LINE.fullmatch(line)
        assert match, line[:200]
        kinds.append(match[1].decode()[0])
    text = "".join(kinds)
    assert re.fullmatch("(mr)*m?", text), text
    return text


@pytest.fixture
def run(tmp_path, capfd):
    def run_(eval_actions, tool_actions, *flags, eval_before="", tool_before=""):
        commands = ["--eval", command(tmp_path, "eval", eval_actions, eval_before)]
        commands += ["--tool", command(tmp_path, "tool", tool_actions, tool_before)]
        with pytest.raises(SystemExit) as exit_:
            gradbench.main(["run", *commands, "-o", str(tmp_path / "log.jsonl"), *flags])
        out, _ = capfd.readouterr()
        assert_none_left(tmp_path)
        return exit_.value.code, read_log(tmp_path), out

    run_.log = tmp_path / "log.jsonl"
    return run_


def code_of(*arguments):
    with pytest.raises(SystemExit) as exit_:
        gradbench.main(arguments)
    return exit_.value.code


@pytest.mark.parametrize("steps", range(4))
@pytest.mark.parametrize("code", [0, 3])
def test_a_tool_that_ends_before_an_answer_is_an_error(run, steps, code):
    tool = [*good_tool(steps), {"recv": 1}, {"exit": code}]
    assert run(good_eval(), tool)[:2] == (ERROR, "mr" * steps + "m")


@pytest.mark.parametrize("steps", range(4))
def test_a_tool_that_ends_without_reading_is_an_error(run, steps):
    assert run(good_eval(), [*good_tool(steps), {"exit": 0}])[:2] == (ERROR, "mr" * steps + "m")


@pytest.mark.parametrize("steps", range(5))
def test_an_eval_that_stops_asking_has_finished(run, steps):
    eval_ = [*good_eval(steps), {"exit": 0}]
    assert run(eval_, [*good_tool(), {"drain": True}], "--strict")[:2] == (SUCCESS, "mr" * steps)


@pytest.mark.parametrize("steps", range(4))
def test_an_eval_that_ends_before_its_answer_comes_is_an_error(run, steps):
    eval_ = [*good_eval(steps), {"send": MESSAGES[steps]}, {"exit": 0}]
    tool = [*good_tool(steps), {"recv": 1}, {"sleep": 0.3}, {"send": ANSWERS[steps]}, {"drain": True}]
    code, log, out = run(eval_, tool)
    assert (code, log) == (ERROR, "mr" * (steps + 1))
    assert "Broken pipe" in out


@pytest.mark.parametrize("steps", range(5))
def test_an_eval_that_crashes_is_an_error_only_when_strict(run, steps):
    crash = [*good_eval(steps), {"exit": 1}]
    assert run(crash, [*good_tool(), {"drain": True}])[:2] == (SUCCESS, "mr" * steps)
    assert run(crash, [*good_tool(), {"drain": True}], "--strict")[:2] == (ERROR, "mr" * steps)


@pytest.mark.parametrize("steps", range(4))
@pytest.mark.parametrize("flags", [(), ("--strict",)], ids=["compat", "strict"])
def test_half_a_line_of_the_tool_is_an_error(run, steps, flags):
    tool = [*good_tool(steps), {"recv": 1}, {"send_raw": ANSWERS[steps][:6]}, {"exit": 0}]
    assert run(good_eval(), tool, *flags)[:2] == (ERROR, "mr" * steps + "m")


@pytest.mark.parametrize("steps", range(4))
def test_half_a_line_of_the_eval_is_an_error(run, steps):
    eval_ = [*good_eval(steps), {"send_raw": MESSAGES[steps][:9]}, {"exit": 0}]
    assert run(eval_, [*good_tool(), {"drain": True}])[:2] == (ERROR, "mr" * steps + "m")


@pytest.mark.parametrize("side", ["eval", "tool"])
@pytest.mark.parametrize("steps", range(4))
def test_bytes_that_are_no_text_are_an_error(run, side, steps):
    bad = {"send_hex": b'{"id": 0, "x": "\xff"}\n'.hex()}
    if side == "eval":
        code, log, _ = run([*good_eval(steps), bad], [*good_tool(), {"drain": True}])
        assert (code, log) == (ERROR, "mr" * steps)
    else:
        code, log, _ = run(good_eval(), [*good_tool(steps), {"recv": 1}, bad, {"drain": True}])
        assert (code, log) == (ERROR, "mr" * steps + "m")


NOISE = [
    "",
    "computing ...",
    "[1]",
    "null",
    '{"success": true, "output": 1}',
    '{"id": null, "success": true}',
    '{"id": 0',
]


@pytest.mark.parametrize(("line", "steps"), by_turns(NOISE, range(4)))
def test_noise_of_the_tool_is_an_error(run, steps, line):
    tool = [*good_tool(steps), {"recv": 1}, {"send": line}, {"drain": True}]
    assert run(good_eval(), tool)[:2] == (ERROR, "mr" * steps + "m")


DEEP = "[" * 100_000 + "]" * 100_000

# What a tool puts out, in place of a number, and whether that is JSON which a double can hold.
ODD_OUTPUTS = {
    "null": ("null", True),
    "small": ("1e-999", True),
    "nul character": ('"\\u0000"', True),
    "integer beyond 64 bits": ("123456789012345678901234567890", True),
    "NaN": ("NaN", False),
    "Infinity": ("-Infinity", False),
    "1e999": ("[-1e999]", False),
    "400 digits": ("9" * 400, False),
    "lone surrogate": ('"\\ud800"', False),
    "control character": ('"a\x01"', False),
    "leading zero": ("01", False),
    "deep": (DEEP, False),
    "open": ("[" * 100_000, False),
}


@pytest.mark.parametrize(("name", "side"), by_turns(ODD_OUTPUTS, ["eval", "tool"]))
def test_odd_values(run, name, side):
    """From the eval as an input without a description, which is then shown; from the tool as an output."""
    text, is_fine = ODD_OUTPUTS[name]
    message = MESSAGES[2].replace('"description": "d", "input": 1', f'"input": {text if side == "eval" else 1}')
    answer = ANSWERS[2].replace('"output": 1', f'"output": {text if side == "tool" else 1}')
    eval_ = [*good_eval(2), {"send": message}, {"recv": 1}, *good_eval()[6:]]
    tool = [*good_tool(2), {"recv": 1}, {"send": answer}, {"recv": 1}, {"send": ANSWERS[3]}]
    code, log, out = run(eval_, tool)
    assert (code, log) == ((SUCCESS, "mr" * 4) if is_fine else (ERROR, "mrmrm"))
    assert is_fine or f"invalid JSON from {side}: " in out
    assert code_of("log", "summary", str(run.log)) == (0 if is_fine or side == "tool" else 1)


@pytest.mark.parametrize("depth", [980, 990, 1000, 1010])
def test_lists_within_lists_about_as_deep_as_the_interpreter_follows(run, depth):
    """Whether they pass depends on the interpreter; nothing may fall over them."""
    text = "[" * depth + "]" * depth
    message = MESSAGES[2].replace('"description": "d", "input": 1', f'"input": {text}')
    eval_ = [*good_eval(2), {"send": message}, {"recv": 1}, *good_eval()[6:]]
    tool = [*good_tool(2), {"recv": 1}, {"send": ANSWERS[2].replace('"output": 1', f'"output": {text}')}]
    code, log, out = run(eval_, [*tool, {"recv": 1}, {"send": ANSWERS[3]}])
    assert (code, log) in ((SUCCESS, "mr" * 4), (ERROR, "mrmrm"))
    assert code == SUCCESS or "invalid JSON from " in out
    assert code_of("log", "summary", str(run.log)) in (0, 1)


# Lines around an answer that is right, and whether they may be there.
ODD_LINES = {
    "CRLF": (ANSWERS[2] + "\r\n", True),
    "white space": (f" \t{ANSWERS[2]} \n", True),
    "further keys": (ANSWERS[2].replace("{", '{"status": {"x": [0]}, ') + "\n", True),
    "further key twice": (ANSWERS[2].replace("{", '{"x": 0, "x": 1, ') + "\n", True),
    "escaped key": (ANSWERS[2].replace('"id"', '"\\u0069d"') + "\n", True),
    "surplus line": (f"{ANSWERS[2]}\n{ANSWERS[3]}\n", True),
    "byte order mark": ("\ufeff" + ANSWERS[2] + "\n", False),
    "empty line first": ("\n" + ANSWERS[2] + "\n", False),
    "output twice": (ANSWERS[2].replace("{", '{"output": 0, ') + "\n", False),
    "number as id": (ANSWERS[2].replace('"id": 2', '"id": 2.0') + "\n", False),
    "text as id": (ANSWERS[2].replace('"id": 2', '"id": "2"') + "\n", False),
    "id beyond 64 bits": (ANSWERS[2].replace('"id": 2', f'"id": {2**63}') + "\n", False),
    "number as success": (ANSWERS[2].replace("true", "1") + "\n", False),
    "text behind": (ANSWERS[2] + " ok\n", False),
    "trailing comma": (ANSWERS[2].replace("}", ",}") + "\n", False),
    "no-break space": ("\u00a0" + ANSWERS[2] + "\n", False),
}


@pytest.mark.parametrize(("text", "is_fine"), ODD_LINES.values(), ids=ODD_LINES)
def test_odd_lines_of_the_tool(run, text, is_fine):
    more = [] if ANSWERS[3] in text else [{"recv": 1}, {"send": ANSWERS[3]}]
    tool = [*good_tool(2), {"recv": 1}, {"send_raw": text}, *more, {"drain": True}]
    assert run(good_eval(), tool)[:2] == ((SUCCESS, "mr" * 4) if is_fine else (ERROR, "mrmrm"))


@pytest.mark.parametrize("line", ['{"id": 2, "id": 2, "success": true, "output": 1}', '{"success": true, "output": 1}'])
def test_a_repeated_or_missing_id_is_an_error(run, line):
    tool = [*good_tool(2), {"recv": 1}, {"send": line}, {"drain": True}]
    assert run(good_eval(), tool)[:2] == (ERROR, "mrmrm")


def test_the_id_of_an_earlier_message_is_an_error_only_when_strict(run):
    tool = [*good_tool(2), {"recv": 1}, {"send": ANSWERS[2].replace("2", "1", 1)}, {"recv": 1}, {"send": ANSWERS[3]}]
    assert run(good_eval(), tool)[:2] == (SUCCESS, "mr" * 4)
    assert run(good_eval(), tool, "--strict")[:2] == (ERROR, "mrmrm")


def test_both_sides_may_flood_their_standard_error(run):
    flood = {"stderr": "all is well\n" * 100_000}
    eval_ = [flood, *good_eval(2), flood, *good_eval()[4:]]
    tool = [flood, *good_tool(2), {"recv": 1}, flood, {"send": ANSWERS[2]}, {"recv": 1}, {"send": ANSWERS[3]}]
    assert run(eval_, tool)[:2] == (SUCCESS, "mr" * 4)


@pytest.mark.parametrize("steps", range(4))
def test_a_tool_that_hangs_runs_into_the_limit(run, steps):
    tool = [*good_tool(steps), {"recv": 1}, {"sleep": 600}]
    assert run(good_eval(), tool, "--timeout", "1")[:2] == (TIMEOUT, "mr" * steps + "m")


LONG = MESSAGES[2].replace("1}", "[" + "0.5, " * 1_000_000 + "1]}")


def test_a_tool_that_does_not_read_a_long_line_runs_into_the_limit(run):
    eval_ = [*good_eval(2), {"send": LONG}, {"recv": 1}]
    assert run(eval_, [*good_tool(2), {"sleep": 600}], "--timeout", "1")[:2] == (TIMEOUT, "mrmrm")


FORK = "import os, time\nif os.fork() == 0:\n    time.sleep(600)\n    os._exit(0)\n"


@pytest.mark.parametrize("side", ["eval", "tool"])
def test_a_process_left_behind_goes_at_the_end(run, side, monkeypatch):
    monkeypatch.setattr(line_process, "ORPHAN_GRACE_S", 0.1)
    code, log, _ = run(good_eval(), [*good_tool(), {"drain": True}], **{f"{side}_before": FORK})
    assert (code, log) == (SUCCESS, "mr" * 4)


@pytest.mark.parametrize(("side", "expected"), [("eval", (SUCCESS, "mr" * 2)), ("tool", (ERROR, "mrmrm"))])
def test_a_pipe_held_open_by_a_child_does_not_hold_up_the_run(run, side, expected, monkeypatch):
    monkeypatch.setattr(line_process, "ORPHAN_GRACE_S", 0.5)
    sides = {
        "eval": ([*good_eval(2), {"exit": 0}], [*good_tool(), {"drain": True}]),
        "tool": (good_eval(), [*good_tool(2), {"recv": 1}, {"exit": 0}]),
    }
    assert run(*sides[side], **{f"{side}_before": FORK})[:2] == expected


def test_a_child_that_keeps_the_pipe_open_dies_with_the_limit(run):
    tool = [*good_tool(2), {"recv": 1}, {"sleep": 600}]
    assert run(good_eval(), tool, "--timeout", "1", tool_before=FORK)[:2] == (TIMEOUT, "mrmrm")


def interrupted(
    folder, eval_actions, tool_actions, marker_side, num_received, *flags, number=signal.SIGINT, log_bytes=0
):
    """Send SIGINT, or another signal, once `marker_side` has received so many lines and the log has so many bytes."""
    commands = ["--eval", command(folder, "eval", eval_actions), "--tool", command(folder, "tool", tool_actions)]
    words = [sys.executable, "-m", "helm.gradbench.main", "run", *commands, "-o", str(folder / "log.jsonl"), *flags]
    received = folder / f"{marker_side}.received"
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if received.exists() and len(received.read_text().splitlines()) >= num_received:
                if (folder / "log.jsonl").stat().st_size >= log_bytes:
                    break
            time.sleep(0.02)
        process.send_signal(number)
        process.communicate(timeout=30)
    assert_none_left(folder)
    return process.returncode, read_log(folder)


@pytest.mark.parametrize("flags", [(), ("--timeout", "60")], ids=["unlimited", "limited"])
@pytest.mark.parametrize("steps", range(4))
def test_an_interrupt_while_the_tool_works(tmp_path, steps, flags):
    tool = [*good_tool(steps), {"recv": 1}, {"sleep": 600}]
    result = interrupted(tmp_path, good_eval(), tool, "tool", steps + 1, *flags)
    assert result == (INTERRUPT, "mr" * steps + "m")


@pytest.mark.parametrize("steps", range(5))
def test_an_interrupt_while_the_eval_works_or_ends(tmp_path, steps):
    eval_ = [*good_eval(steps), {"sleep": 600}]
    result = interrupted(tmp_path, eval_, [*good_tool(), {"drain": True}], "eval", steps)
    assert result == (INTERRUPT, "mr" * steps)


def test_an_interrupt_while_a_tool_ignores_the_end_of_its_input(tmp_path):
    result = interrupted(tmp_path, good_eval(), [*good_tool(), {"drain": True}, {"sleep": 600}], "eval", 4)
    assert result == (INTERRUPT, "mr" * 4)


def test_an_interrupt_while_a_tool_does_not_read_a_long_line(tmp_path):
    eval_ = [*good_eval(2), {"send": LONG}, {"recv": 1}]
    tool = [*good_tool(2), {"sleep": 600}]
    assert interrupted(tmp_path, eval_, tool, "eval", 2, log_bytes=len(LONG)) == (INTERRUPT, "mrmrm")


def test_an_interrupt_in_the_middle_of_lines(tmp_path):
    half = {"send_raw": ANSWERS[2][:9]}
    tool = [*good_tool(2), {"recv": 1}, half, {"sleep": 600}]
    assert interrupted(tmp_path, good_eval(), tool, "tool", 3) == (INTERRUPT, "mrmrm")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_takes_both_sides_along(tmp_path, number):
    tool = [*good_tool(2), {"recv": 1}, {"sleep": 600}]
    assert interrupted(tmp_path, good_eval(), tool, "tool", 3, number=number) == (INTERRUPT, "mrmrm")


def long_line(megabytes):
    """An eval that asks with one long line, and a tool that answers with another."""
    number = "0.123456789012345, "
    body = f"b'[' + b'{number}' * {megabytes * 1_000_000 // len(number)} + b'1]'"
    eval_ = (
        'import sys\nw = sys.stdout.buffer\nw.write(b\'{"id": 0, "kind": "evaluate", "module": "m", '
        f'"function": "f", "description": "d", "input": \' + {body} + b\'}}\\n\')\nw.flush()\n'
        f"assert len(sys.stdin.buffer.readline()) > {megabytes * 900_000}\n"
    )
    tool = (
        f"import sys\nassert len(sys.stdin.buffer.readline()) > {megabytes * 900_000}\n"
        f'sys.stdout.buffer.write(b\'{{"id": 0, "success": true, "output": \' + {body} + b\'}}\\n\')\n'
    )
    return eval_, tool


@pytest.mark.parametrize("megabytes", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_a_long_line_passes_both_ways(tmp_path, megabytes):
    sides = []
    for name, text in zip(("eval", "tool"), long_line(megabytes), strict=True):
        (tmp_path / name).write_text(text)
        sides += [f"--{name}", shlex.join([sys.executable, "-I", "-S", str(tmp_path / name)])]
    log = tmp_path / "log.jsonl"
    words = [sys.executable, "-m", "helm.gradbench.main", "run", *sides, "--strict", "-o", str(log)]
    process = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert process.returncode == SUCCESS, process.stdout[:2000] + process.stderr[:2000]
    assert log.stat().st_size > 2 * megabytes * 900_000
    log.unlink()
