"""`gradbench run` between two scripted processes, against recorded exchanges."""

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

from helm.gradbench import main as gradbench
from process_support import command_lines
from vectors_support import vector_cases

CASES = vector_cases("gradbench/protocol.json")
SCRIPT = Path(__file__).with_name("scripted_process.py")

TIME = r"(?:      [ \d]{2}\dms|   [ \d]\d\.\d{3} s|[ \d]\d:\d\d\.\d{3}  |     > 1 hr)"
ROUND_TIME = re.compile(rf"^(\s*(?:\x1b\[1;36m)?\s*\[-?\d+\](?:\x1b\[0m)? (?:def|eval) .*?){TIME}", re.MULTILINE)
TIMEOUT_TIME = re.compile(rf"{TIME}((?:\x1b\[0m)? (?:\x1b\[33m)?⧖)")
LOG_LINE = re.compile(r'\{ "elapsed": \{ "nanoseconds": (\d+) \}, "(message|response)": (.*) \}')


def hide_times(text):
    """Times measured by the intermediary become {T}; those that the tool reports stay."""
    return ROUND_TIME.sub(r"\1{T}", TIMEOUT_TIME.sub(r"{T}\1", text))


def hide_reasons(text):
    """What a JSON reader says after `invalid JSON from ...:` is its own."""
    return re.sub(r"(invalid JSON from (?:eval|tool):)[^\n]*", r"\1", text)


def received(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Run:
    """The files and the command line of one case."""

    def __init__(self, case, folder):
        self.case, self.folder = case, folder
        self.log = folder / "log.jsonl"
        commands = []
        for side in ("eval", "tool"):
            actions = folder / f"{side}.json"
            actions.write_text(json.dumps(case[side]), encoding="utf-8")
            words = [sys.executable, "-I", "-S", str(SCRIPT), str(actions), str(folder / f"{side}.received")]
            commands += [f"--{side}", shlex.join(words)]
        self.arguments = ["run", *commands, "-o", str(self.log), *case["args"]]

    def in_this_process(self, capfd):
        with pytest.raises(SystemExit) as exit_:
            gradbench.main(self.arguments)
        out, err = capfd.readouterr()
        return exit_.value.code, out, err

    def interrupted(self, after_s):
        command = [sys.executable, "-m", "helm.gradbench.main", *self.arguments]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            tool_log = self.folder / "tool.received"
            expected = len(self.case["expect"]["tool_received"])
            deadline = time.monotonic() + 20
            # The recording slept a fixed time; waiting for what the tool had received by then is quicker and certain.
            while len(received(tool_log)) < expected and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        return process.returncode, out.decode(), err.decode()

    def logged(self):
        return [list(LOG_LINE.fullmatch(line).groups()[1:]) for line in self.log.read_text("utf-8").splitlines()]


def seconds_until_answer(actions):
    """For each answer of the tool: how long its script sleeps between the first byte and the newline, and before it."""
    waits, current = [], 0.0
    for action in actions:
        current += action.get("sleep", 0.0)
        if "send" in action or action.get("send_raw", "").endswith("\n"):
            waits.append(current)
            current = 0.0
    return waits


def last_line_lacks_newline(case):
    sent = [action for action in case["eval"] if {"send", "send_raw"} & action.keys()]
    return bool(sent) and "send_raw" in sent[-1] and not sent[-1]["send_raw"].endswith("\n")


def expectation(case):
    """What we expect, which is what was recorded but for three accidents of the original that we mend."""
    expect = dict(case["expect"])
    if "--timeout" in case["args"]:
        limit = float(case["args"][case["args"].index("--timeout") + 1])
        if expect["exit_code"] == 0 and any(wait > limit for wait in seconds_until_answer(case["tool"])):
            # The original's limit starts anew with every byte; ours counts for the whole answer.
            cut = next(i for i, (kind, _) in enumerate(expect["log"]) if kind == "response")
            expect.update(exit_code=5, stdout=" {T} ⧖\n", log=expect["log"][:cut], eval_received=["<EOF>"])
    if last_line_lacks_newline(case):
        # The original passes the unfinished line on and waits for ever; we finish it, so the tool answers.
        answer = next(action["send"] for action in case["tool"] if "send" in action)
        head = f"  [{json.loads(answer)['id']}] start\n"
        message = expect["log"][-1][1]
        log = [*expect["log"], ["response", answer]]
        expect.update(exit_code=0, stdout=head, log=log, tool_received=[message + "\n"], eval_received=[answer + "\n"])
    return expect


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_vector_of_the_protocol(case, tmp_path, capfd, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("CLICOLOR_FORCE", "1" if case.get("color") else "0")
    run, expect = Run(case, tmp_path), expectation(case)
    if "sigint_after_seconds" in case:
        code, out, err = run.interrupted(case["sigint_after_seconds"])
    else:
        code, out, err = run.in_this_process(capfd)

    if expect["stderr_lines"] == "panic":
        # The original dies while it cuts a name inside a character; we cut before that character and go on.
        assert (code, err) == (0, "")
        assert hide_times(out).startswith(expect["stdout"])
        return
    allowed = [hide_reasons(text) for text in expect.get("stdout_any_of") or [expect["stdout"]]]
    assert hide_reasons(hide_times(out)) in allowed
    assert code == expect["exit_code"]
    assert len(err.splitlines()) == expect["stderr_lines"], err
    assert run.logged() == expect["log"]
    for side in ("tool", "eval"):
        if expect[f"{side}_received"] is not None:
            assert received(tmp_path / f"{side}.received") == expect[f"{side}_received"], side


@pytest.mark.parametrize("case", [case for case in CASES if "--timeout" in case["args"]], ids=lambda case: case["name"])
def test_vector_of_limits_with_the_clock_of_the_original(case, tmp_path, capfd, monkeypatch):
    """With --compat no expectation is changed: the limit starts anew with every byte."""
    monkeypatch.setenv("CLICOLOR_FORCE", "1" if case.get("color") else "0")
    run, expect = Run(case, tmp_path), case["expect"]
    if "sigint_after_seconds" in case:
        pytest.skip("interrupts are covered with the other cases")
    run.arguments.append("--compat")
    code, out, _ = run.in_this_process(capfd)
    allowed = [hide_reasons(text) for text in expect.get("stdout_any_of") or [expect["stdout"]]]
    assert hide_reasons(hide_times(out)) in allowed
    assert (code, run.logged()) == (expect["exit_code"], expect["log"])


def test_elapsed_times_in_the_log_grow(tmp_path, capfd):
    case = next(case for case in CASES if case["name"] == "evaluate_ok")
    run = Run(case, tmp_path)
    assert run.in_this_process(capfd)[0] == 0
    times = [int(LOG_LINE.fullmatch(line).group(1)) for line in run.log.read_text("utf-8").splitlines()]
    assert times == sorted(times) and times[0] > 0


def test_children_are_gone_after_an_interrupt(tmp_path):
    case = next(case for case in CASES if case["name"] == "interrupt_evaluate")
    assert Run(case, tmp_path).interrupted(1.5)[0] == 6
    marker = str(tmp_path)
    assert not [words for pid, words in command_lines() if marker.encode() in words and pid != os.getpid()]
