"""Outside agents: programs in a sandbox, from a script of ours to real command-line agents."""

import os
import shutil
import subprocess
import sys

import pytest

from agent_support import ScriptedModel, call, executor, request
from helm.agents.agents.command_line import read_programs
from helm.agents.agents.programs import find_program
from helm.agents.errors import AgentError
from helm.agents.replay import replay
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from helm.common.request import RequestResult
from helm.common.sandbox.session import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")

TINY_AGENT = """
import json, os, subprocess, sys, urllib.request, urllib.error

def ask(messages):
    tools = [{"type": "function", "function": {"name": "sh", "parameters": {"type": "object"}}}]
    data = json.dumps({"model": sys.argv[2], "messages": messages, "tools": tools}).encode()
    sent = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", data)
    sent.add_header("Authorization", "Bearer " + os.environ["OPENAI_API_KEY"])
    return json.load(urllib.request.urlopen(sent))["choices"][0]["message"]

print("key", os.environ["OPENAI_API_KEY"], os.environ.get("HELM_TEST_SECRET"), os.getcwd())
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    message = ask(messages)
    messages.append(message)
    for made in message.get("tool_calls") or []:
        done = subprocess.run(json.loads(made["function"]["arguments"])["cmd"], shell=True, capture_output=True, text=True)
        messages.append({"role": "tool", "tool_call_id": made["id"], "content": done.stdout + done.stderr})
    if not message.get("tool_calls"):
        sys.exit(3)
"""
BOX = ObjectSpec("helm.agents.environments.bubblewrap_box.BubblewrapBox", {})
SOLVED = ObjectSpec("agent_support.FileCheck", {"path": "/app/answer.txt", "text": "solved\n"})


def run(args, *answers, model=None, retries=0, **fields):
    """The result of an episode with an outside agent, and the model."""
    given = {"environment": BOX, "check": SOLVED, "limits": EpisodeLimits(seconds=100, turns=20), **fields}
    asked = request("helm.agents.agents.CommandLineAgent", args, **given)
    model = model or ScriptedModel(*answers)
    return executor(model, "exclude", retries=retries).run_episode(asked), model


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "agent.py"
    path.write_text(f"#!{sys.executable}\n{TINY_AGENT}")
    path.chmod(0o755)
    return {"command": [str(path), "{instruction}", "{model}"], "model": "some-model"}


def program_event(result):
    return next(event for event in result.events if event.get("action") == "program")


def shell(command):
    return [call("sh", {"cmd": command}, "c1")]


def test_a_script_solves_a_task_by_the_model_of_the_run(tiny, monkeypatch):
    monkeypatch.setenv("HELM_TEST_SECRET", "s3cret")
    monkeypatch.setenv("OPENAI_API_KEY", "real-key")
    result, model = run(tiny, shell("echo solved > answer.txt; cat answer.txt"), "Done.")
    assert (result.outcome, result.answer, result.reward) == ("stopped", "Done.", 1.0)
    assert model.requests[0].messages[0]["content"] == "Sell two apples."
    assert model.requests[1].messages[-1]["content"] == "solved\n"
    details = program_event(result)["details"]
    assert (details["status"], details["returncode"]) == ("ok", 3)  # which counts for nothing
    assert details["output"] == "key [token] None /app\n"
    assert [event["kind"] for event in result.events] == [
        "message", "environment", "model", "tool_call", "tool_result", "model", "environment", "score",
    ]  # fmt: skip


def test_there_is_no_other_way_out(tiny):
    """Neither another host nor a port of this machine is reached; the program's files are read-only."""
    probe = (
        "import socket\n"
        "for place in (('127.0.0.1', 22), ('10.0.0.1', 80), ('1.1.1.1', 53)):\n"
        "    try: socket.create_connection(place, 2); print('reached')\n"
        "    except OSError as e: print('closed')\n"
    )
    script = tiny["command"][0]
    command = f'python3 -c "{probe}"; echo x >> {script} || echo read-only; ls {os.path.dirname(script)}'
    _, model = run(tiny, shell(command), "Done.")
    said = model.requests[1].messages[-1]["content"].split("\n")
    assert [line for line in said if line in ("closed", "reached")] == ["closed"] * 3
    assert "read-only" in said and "agent.py" in said


def test_a_program_is_ended_at_a_limit_and_what_it_did_is_scored(tiny):
    result, _ = run(tiny, shell("echo solved > answer.txt"), "x", limits=EpisodeLimits(turns=1, seconds=60))
    assert (result.outcome, result.limit.name, result.reward) == ("limit", "turns", 1.0)
    slow, _ = run(tiny, shell("echo solved > answer.txt; sleep 60"), "x", limits=EpisodeLimits(seconds=1.0))
    assert (slow.outcome, slow.limit.name, slow.reward, slow.counts.tool_calls) == ("limit", "seconds", 1.0, 1)
    assert program_event(slow)["details"]["status"] == "timeout" and slow.elapsed_s < 10


def test_a_model_that_fails_is_never_scored_and_not_paid_for_twice(tiny):
    failed = RequestResult(False, [], [], False, error="down", outcome="server")
    result, model = run(tiny, shell("true"), failed)
    assert (result.outcome, result.cause, result.reward) == ("infrastructure", "model", None)
    again, model = run(tiny, shell("echo solved > answer.txt"), failed, "Done.", retries=1)
    assert again.reward == 1.0 and len(model.requests) == 3  # the first answer was recorded
    assert not again.divergence


@pytest.mark.parametrize("volatile", [["chunk [0-9a-f]{16}"], []], ids=["named", "not-named"])
def test_a_replay_of_a_program_with_random_names(tiny, volatile):
    """What is named as volatile does not hide the recorded answers; what is not makes another way, which is said."""
    command = "echo chunk $(od -An -tx8 -N8 /dev/urandom); echo solved > answer.txt"
    result, _ = run({**tiny, "volatile": volatile}, shell(command), "Done.")
    asked = request(
        "helm.agents.agents.CommandLineAgent", {**tiny, "volatile": volatile}, environment=BOX, check=SOLVED,
        limits=EpisodeLimits(seconds=100, turns=20),
    )  # fmt: skip
    again = replay(asked, result)
    assert again.is_same == bool(volatile) and again.result.reward == 1.0
    assert again.result.divergence == (not volatile)


def test_what_is_missing_is_said_before_anything_is_sent(tmp_path):
    spec = {"program": "codex", "executable": "/nowhere/codex"}
    asked = request("helm.agents.agents.CommandLineAgent", spec, environment=BOX)
    with pytest.raises(ConfigError, match="/nowhere/codex is not on this machine. Install it with: npm install"):
        executor(ScriptedModel()).check_machine([asked])


@pytest.mark.parametrize(
    ("args", "fields", "words"),
    [
        ({"program": "codx"}, {}, "Did you mean 'codex'?"),
        ({}, {}, "name either a program or a command"),
        ({"command": ["sh"], "volatile": ["("]}, {}, "volatile takes regular expressions"),
        ({"command": ["sh"]}, {"environment": None}, "needs an environment in which programs run"),
    ],
)
def test_a_wrong_description_is_explained(args, fields, words):
    with pytest.raises(AgentError, match=words.replace("?", r"\?")):
        run(args, **fields)


def test_a_program_is_found_with_what_it_needs(tmp_path, monkeypatch):
    package = tmp_path / "lib" / "node_modules" / "@x" / "tool" / "node_modules" / "y"
    package.mkdir(parents=True)
    (package / "cli.js").write_text("#!/usr/bin/env node\n")
    (package / "cli.js").chmod(0o755)
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "tool").symlink_to(package / "cli.js")
    (folder / "node").write_text("#!/bin/sh\n")
    (folder / "node").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    found = find_program("tool")
    assert found.path == str(package / "cli.js")
    assert found.shared == (str(tmp_path / "lib" / "node_modules"), str(folder / "node"))
    assert found.folders == (str(folder),)
    assert find_program("no-such-tool") is None


REAL = {
    "codex": ("exec_command", "cmd"),
    "claude-code": ("Bash", "command"),
    "gemini-cli": ("run_shell_command", "command"),
    "mini-swe-agent": ("bash", "command"),
}


def real_agent(name, turns=()):
    """A function of a request that makes the agent's own kind of call, once, and then ends."""
    tool, argument = REAL[name]

    def answer(asked):
        offered = {one["function"]["name"] for one in asked.tools or []}
        if tool not in offered:
            return "Nothing."  # a title, a summary
        if any(message["role"] == "tool" for message in asked.messages):
            end = {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}
            return [call("bash", end, "c9")] if name == "mini-swe-agent" else "The task is done."
        more = {"description": "Solve it"} if name in ("claude-code", "gemini-cli") else {}
        return [call(tool, {argument: "echo solved > /app/answer.txt", **more}, "c1")]

    return answer


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_a_real_agent_solves_a_task(name, tmp_path):
    """Their calls come by each of the four protocols, and are replayed.

    `HELM_TEST_AGENTS` names a folder of `npm install` and one of `pip`.
    """
    executable = read_programs()[name]["executable"]
    folder = os.environ.get("HELM_TEST_AGENTS", "")
    places = [os.path.join(folder, "node_modules", ".bin"), os.path.join(folder, "bin"), os.environ["PATH"]]
    path = shutil.which(executable, path=os.pathsep.join(places))
    if path is None or subprocess.run([path, "--help"], capture_output=True, check=False).returncode:
        pytest.skip(f"{name} is not installed")
    answer = real_agent(name)
    args = {"program": name, "executable": path}
    told = [{"role": "user", "content": "Write 'solved' into answer.txt."}]
    result, model = run(args, *[answer] * 10, messages=told)
    assert (result.outcome, result.reward) == ("stopped", 1.0), program_event(result)["details"]
    assert any("into answer.txt" in str(one.messages) for one in model.requests)
    assert result.counts.tool_calls >= 1 and result.usage["bridge"].calls == len(model.requests)
    asked = request(
        "helm.agents.agents.CommandLineAgent", args, environment=BOX, check=SOLVED, messages=told,
        limits=EpisodeLimits(seconds=100, turns=20),
    )  # fmt: skip
    again = replay(asked, result)
    assert again.is_same and again.result.reward == 1.0 and not again.result.divergence


def test_a_program_that_fails_before_it_asks_is_no_attempt(tmp_path):
    path = tmp_path / "agent.py"
    path.write_text("#!/bin/sh\necho no such library >&2\nexit 127\n")
    path.chmod(0o755)
    result, model = run({"command": [str(path), "{instruction}"], "model": "some-model"})
    assert (result.outcome, result.reward, model.requests) == ("infrastructure", None, [])
