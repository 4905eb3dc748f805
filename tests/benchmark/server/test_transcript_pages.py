"""The pages of agents' episodes, made by a real run against a scripted server."""

import json
import os
import re
import subprocess
import sys

import pytest

pytest.importorskip("jinja2")

from agent_support import ToolCallServer, function_call  # noqa: E402
from helm.benchmark.server.export import export_site  # noqa: E402
from helm.benchmark.server.site_shards import read_shard  # noqa: E402
from helm.benchmark.server.transcript_page import _artifact  # noqa: E402
from helm.common.formats.terminal_text import Span, read_spans  # noqa: E402
from helm.results.transcripts.turns import count_common, fold, read_turns  # noqa: E402
from viewer_support import check_inert, html_of, text_of, viewer  # noqa: E402

TASKS = """
defaults:
  environment:
    class_name: helm.agents.environments.python_domain.PythonDomain
    args: {class_name: agent_support.Desk, data: {files: {a.py: "one\\nbroken\\n"}}}
  agent: {class_name: helm.agents.agents.ReactLoop}
  check: {class_name: helm.agents.checks.DomainCheck}
tasks:
  - {id: repair, instruction: Repair a.py.}
  - {id: hopeless, instruction: "Do nothing. <img src=x onerror=alert(1)>"}
"""
COMMANDS = ["ls", "colours", "cat a", "cat b", "cat c", "cat d", "cat e", "long", "boom"]


def answer(body):
    """Nine commands, an edit that is right in the first epoch only, a call that is not valid, an answer."""
    turn = sum(message["role"] == "assistant" for message in body["messages"])
    seed = body.get("seed")
    if "nothing" in json.dumps(body["messages"]):
        return {"content": "I give up. \x1b[31m</pre><script>alert(2)</script>"}
    if turn < len(COMMANDS):
        said = {"content": "I look around."} if turn == 0 else {}
        return {
            **said,
            "reasoning_content": f"thought {turn}",
            "tool_calls": [function_call("shell", {"command": COMMANDS[turn]})],
        }
    if turn == len(COMMANDS):
        new = "fixed" if seed in (None, 0) and counts.setdefault("edits", 0) == 0 else "worse"
        counts["edits"] = 1
        return {"tool_calls": [function_call("str_replace", {"path": "a.py", "old_str": "broken", "new_str": new})]}
    if turn == len(COMMANDS) + 1:
        return {"tool_calls": [function_call("nonsense", {"a": 1})]}
    return {"tool_calls": [function_call("submit", {"answer": "ready"})]}


counts = {}


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A viewer of a run with two epochs of two tasks."""
    folder = tmp_path_factory.mktemp("agents")
    (folder / "tasks.yaml").write_text(TASKS)
    counts.clear()
    server = ToolCallServer(answer)
    entry = f"agent_tasks:path=tasks.yaml,epochs=2,temperature=0.5,model={server.url}#m"
    command = [
        sys.executable, "-m", "helm.benchmark.run", "--suite", "s", "-m", "9", "--no-probe", "-n", "1", "-r", entry,
        "agent_tasks:path=tasks.yaml,epochs=2,temperature=0.5,model=agents/nothing",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(__import__("agent_support").__file__)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    server.close()
    assert done.returncode == 0, done.stderr
    with viewer(folder / "benchmark_output") as made:
        yield made


@pytest.fixture(scope="module")
def run_path(shown):
    return next(path for path in shown.entries() if "nothing" not in path)


def ids(html):
    return re.findall(r'\sid="([^"]+)"', html)


def test_a_transcript_says_how_it_ended_and_what_happened(shown, run_path):
    html = html_of(shown, f"/instance/{run_path}?id=id0")
    text = text_of(html)
    assert "✓ Solved" in text and "The agent submitted an answer." in text
    assert "epoch 1 ✓" in text and "epoch 2 ✗" in text
    assert "Turns 12 of 50" in text and "Tool calls 12" in text and "Cost not known" in text
    # Calls that worked and changed nothing are folded by what they did; errors and edits are open.

    assert "7 turns: 7 × shell" in text
    assert re.search(r'<details class="call bad"[^>]* open>.{0,200}boom', html, re.DOTALL)
    assert '<span class="del">- broken</span><span class="add">+ fixed</span>' in html
    assert "not valid: unknown_tool" in text and "10 more lines" in text
    assert "Thinks 9 characters" in text and "thought 0" in text and "Submits ready" in text
    assert len(ids(html)) == len(set(ids(html)))
    assert "lines" in text and "Environment Desk" in text  # the check's numbers, and where it happened


def test_nothing_that_a_tool_or_a_model_wrote_has_an_effect(shown, run_path):
    for address in (f"/instance/{run_path}?id=id0", f"/instance/{run_path}?id=id1"):
        html = html_of(shown, address)
        check_inert(html)
    html = html_of(shown, f"/instance/{run_path}?id=id0")
    assert '<span class="sgr-red">red</span> plain <span class="sgr-green sgr-bold">bold green</span>' in html
    assert "&lt;b&gt;no markup&lt;/b&gt;" in html and "title" not in text_of(html).partition("bold green")[0][-40:]


def test_files_that_an_episode_left_are_downloaded(shown, run_path):
    entry = shown.entry(run_path)
    kept = {"path": "/logs/<b>.html", "bytes": 3, "file": "artifacts/0/0-_b_.html"}
    link = _artifact(kept, entry)["link"]
    assert link.endswith("/artifacts/0/0-_b_.html?download=1") and link.startswith("/benchmark_output/runs/s/")
    for file in (
        "../secret",
        "artifacts/0/../../stats.json",
        "artifacts/x/a",
        "artifacts/0/a/b",
        "//host/a",
        "",
        7,
        None,
    ):
        assert _artifact({**kept, "file": file}, entry)["link"] == ""
    assert _artifact("hostile", entry) == {"link": ""}


def test_filters_search_and_pages(shown, run_path, monkeypatch):
    page = f"/instance/{run_path}?id=id0"
    errors = text_of(html_of(shown, page + "&show=errors"))
    assert "boom" in errors and "nonsense" in errors and "I look around" not in errors
    found = text_of(html_of(shown, page + "&q=FIXED+broken"))
    assert (
        "1 turns have" in found
        and "str_replace" in found
        and "boom" not in found.partition("Transcript")[2].partition("Score")[0]
    )
    monkeypatch.setattr("helm.benchmark.server.transcript_page.TURNS_PER_PAGE", 5)
    first, last = html_of(shown, page), html_of(shown, page + "&from=10")
    assert "Turns 1–5 of 13" in text_of(first) and "Turns 11–13 of 13" in text_of(last)
    assert "Submits" in text_of(last) and "Submits" not in text_of(first).partition("Score")[0]


def test_wrong_addresses_are_told(shown, run_path):
    assert shown.respond(f"/instance/{run_path}", "id=id0&epoch=7").status == 404
    assert shown.respond(f"/instance/{run_path}", "id=id0&show=all").status == 400
    assert shown.respond(f"/side_by_side/{run_path}", "id=id0&with=../../etc").status == 404
    assert shown.respond(f"/running/{run_path}", "episode=../x").status == 400


def test_two_epochs_side_by_side_from_where_they_part(shown, run_path):
    html = html_of(shown, f"/side_by_side/{run_path}?id=id0&epoch=1&with_epoch=2")
    text = text_of(html)
    assert "The first 9 turns are the same" in text
    assert "+ fixed" in text and "+ worse" in text and "✗ Not solved" in text
    assert len(ids(html)) == len(set(ids(html)))
    other = next(path for path in shown.entries() if "nothing" in path)
    models = text_of(html_of(shown, f"/side_by_side/{run_path}?id=id1&with={other}"))
    assert "agents/nothing" in models and "I give up" in models


def test_the_list_of_instances_searches_transcripts(shown, run_path):
    """Words of a tool's result, of a call's arguments, and of what the model says, in any epoch."""
    for words, number in (
        ("bold green", 1),
        ("exit code 3", 1),
        ("str_replace", 1),
        ("give up", 1),
        ("nowhere to be found", 0),
    ):
        html = html_of(shown, f"/instances/{run_path}?q={words.replace(' ', '+')}")
        assert len(set(re.findall(r"[?&;]id=(id\d)", html))) == number, words


def test_the_export_has_the_transcripts(shown, run_path, tmp_path, monkeypatch):
    monkeypatch.setattr(shown.settings, "is_static", True)
    exporter = export_site(shown, str(tmp_path / "site"), 100)
    assert not exporter.problems
    shards = [read_shard(str(path)) for path in (tmp_path / "site" / "data").glob("*/*.js")]
    found = {name: page for shard in shards for name, page in shard.items() if name != "cut"}
    pages = [page[1] for name, page in found.items() if name.startswith("instance?")]
    assert sum("✓ Solved" in page for page in pages) >= 1 and all("show=errors" not in page for page in pages)
    assert any(name.startswith("side_by_side?") for name in found)


def test_a_running_episode_is_shown_from_its_journal(shown, run_path):
    from helm.agents.events import EpisodeJournal

    folder = os.path.join(shown.indexer.folder.run_path(run_path), "episodes")
    journal = EpisodeJournal(os.path.join(folder, "3.journal"), "digest")
    try:
        for number, fields in enumerate(
            [
                {"kind": "message", "role": "user", "content": "Do it."},
                {"kind": "model", "role": "agent", "text": "Now."},
                {"kind": "tool_call", "id": "1", "name": "shell", "arguments": {"command": "sleep 9"}, "valid": True},
            ]
        ):
            journal.append({"n": number, "t": float(number), **fields})
        page = shown.respond(f"/running/{run_path}", "episode=3")
        assert page.status == 200 and 'data-refresh="2"' in page.html
        text = text_of(page.html)
        assert "1 turns so far" in text and "sleep 9" in text and "No result yet." in text
        assert "/running/" in html_of(shown, f"/run/{run_path}")
    finally:
        journal.close()
        os.unlink(journal.path)
        os.rmdir(folder)
    assert "is finished, or has not begun" in text_of(html_of(shown, f"/running/{run_path}?episode=3"))


def test_what_a_script_did_follows_the_task(shown, run_path):
    """A scripted agent has no model, so that its calls are in turn 0 with the task."""
    from helm.agents.events import EpisodeJournal

    folder = os.path.join(shown.indexer.folder.run_path(run_path), "episodes")
    journal = EpisodeJournal(os.path.join(folder, "4.journal"), "digest")
    try:
        for number, fields in enumerate(
            [
                {"kind": "message", "role": "user", "content": "Do it."},
                {"kind": "tool_call", "id": "1", "name": "shell", "arguments": {"command": "sleep 9"}, "valid": True},
                {"kind": "tool_result", "id": "1", "content": "no sleep", "is_error": True},
                {"kind": "score", "reward": 1.0},
            ]
        ):
            journal.append({"n": number, "t": float(number), **fields})
        page = html_of(shown, f"/running/{run_path}?episode=4")
    finally:
        journal.close()
        os.unlink(journal.path)
        os.rmdir(folder)
    text = text_of(page)
    places = [text.index(word) for word in ("Task Do it.", "sleep 9", "Score 1.0")]
    assert places == sorted(places) and ">all<" in page
    assert '<a href="#t0">first error' in page and re.search(
        r'<li class="turn bad" id="t0" data-turn data-error>', page
    )


@pytest.mark.parametrize(
    "events",
    [None, "x", [1, None, {}], [{"kind": "model", "role": "agent", "usage": 3, "t": "x", "tool_calls": 1}],
     [{"kind": "tool_call", "arguments": [1], "id": [2], "name": {}},
      {"kind": "tool_result", "id": [2], "content": {"a": [1]}, "cut_bytes": "x"}],
     [{"kind": "limit", "used": "a"}, {"kind": ["x"]}, {"kind": "score", "reward": float("nan")}]],
    ids=["none", "text", "no events", "odd model", "odd call", "odd remarks"],
)  # fmt: skip
def test_events_of_any_content_are_read(events):
    turns = read_turns(events)
    assert turns[0].number == 0 and fold(turns) and count_common(turns, turns) == len(turns)


def test_only_colours_of_a_terminals_text_are_kept():
    assert read_spans("a\x1b[38;5;31mb\x1b[0;91mc\x1b[39md\x1b[12;3He\x1b]8;;http://x\x07f\x9bg\r\nh\ri") == [
        Span("ab"), Span("c", "red"), Span("defg\nh\ni"),
    ]  # fmt: skip
    assert read_spans("\x1b[" + "1;" * 1000 + "31mx")[0].text == "x"
