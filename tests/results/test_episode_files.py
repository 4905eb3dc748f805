"""Episodes as files of other programs: written, and read back."""

import json
import os
import subprocess

import pytest

from helm.benchmark.commands.export import main as export
from helm.benchmark.commands.import_results import main as import_results
from helm.common.agent_request import AgentResult
from helm.common.codec import structure
from helm.results.importing.imported_run import LogError
from helm.results.importing.importing import import_results as read
from helm.results.instance_values import iterate_states
from helm.results.run_results import RunResults


def make_run(path, monkeypatch):
    """A run with episodes of all kinds: solved, failed, cut by a limit, and left out."""
    from helm.benchmark.run import main

    (path / "shop.yaml").write_text(TASKS)
    monkeypatch.chdir(path)
    entries = ["agent_tasks:path=shop.yaml,epochs=2,retries=0,model=agents/oracle"]
    main(["--suite", "mine", "-m", "10", "--on-failure", "exclude", "-r", *entries])
    (name,) = [name for name in os.listdir("benchmark_output/runs/mine") if name.startswith("agent_tasks")]
    return RunResults(os.path.join("benchmark_output/runs/mine", name))


TASKS = """
defaults:
  agent: {class_name: helm.agents.agents.ReactLoop}
  environment:
    class_name: helm.agents.environments.python_domain.PythonDomain
    args: {class_name: agent_support.Shop, data: {stock: {apple: 5}}}
tasks:
  - id: sell
    instruction: Sell two apples.
    check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 3}}}
    solution: {calls: [{name: sell, arguments: {item: apple, number: 2}}], answer: done}
  - id: too many
    instruction: Sell nine.
    check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 3}}}
    solution: {calls: [{name: sell, arguments: {item: apple, number: 9}}, {name: nothing, arguments: {}}]}
  - id: limited
    instruction: Count.
    check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 5}}}
    limits: {tool_calls: 1}
    solution: {calls: [{name: count, arguments: {item: apple}}, {name: count, arguments: {item: apple}}]}
  - id: broken
    instruction: "?"
    check: {class_name: helm.agents.checks.DomainCheck, args: {method: nothing}}
    solution: {calls: []}
"""


def episodes(run, by_task=False):
    return {
        (state.request["task"] if by_task else state.instance["id"], state.request["epoch"]): structure(
            state.result, AgentResult
        )
        for state in iterate_states(run)
    }


@pytest.mark.parametrize("form", ["harbor", "inspect", "inspect-eval"])
def test_episodes_survive_both_ways(form, tmp_path, monkeypatch, capsys):
    run = make_run(tmp_path, monkeypatch)
    assert export(["--suite", "mine", "--format", form, "--to", "out"]) in (0, None)
    assert "8 episodes" in capsys.readouterr().out
    (name,) = os.listdir("out")
    assert import_results([f"out/{name}", "--suite", "back"]) in (0, None)
    (folder,) = os.listdir("benchmark_output/runs/back")
    before = episodes(run, by_task=form == "harbor")
    after = episodes(RunResults(f"benchmark_output/runs/back/{folder}"))
    assert before.keys() == after.keys() and len(before) == 8
    for key, one in before.items():
        other = after[key]
        assert (other.success, other.reward) == (one.success, one.reward), key
        assert {name: other.rewards[name] for name in one.rewards} == one.rewards
        for kind in ("tool_call", "tool_result"):
            fields = ("name", "arguments") if kind == "tool_call" else ("content", "is_error")
            mine, theirs = ([[e[f] for f in fields] for e in r.events if e["kind"] == kind] for r in (one, other))
            assert mine == theirs, key
    causes = [result.cause for result in after.values() if not result.success]
    assert causes == (["verifier"] if form == "harbor" else ["harness"]) * 2  # inspect_ai has no causes


READ = """
import json, sys
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries
log = read_eval_log(sys.argv[1])
found = {
    "status": log.status, "epochs": log.eval.config.epochs, "model": log.eval.model,
    "scored": [log.results.scores[0].scored_samples, log.results.scores[0].unscored_samples],
    "mean": log.results.scores[0].metrics["mean"].value,
    "samples": [[s.id, s.epoch, {n: v.value for n, v in s.scores.items()}, bool(s.error), s.limit and s.limit.type,
                 [m.role for m in s.messages]] for s in log.samples],
}
if sys.argv[1].endswith(".eval"):
    found["summaries"] = [[s.id, s.epoch] for s in read_eval_log_sample_summaries(sys.argv[1])]
print(json.dumps(found))
"""


def test_inspect_ai_itself_reads_both_forms(tmp_path, monkeypatch):
    environment = os.environ.get("HELM_TEST_INSPECT")
    if not environment:
        pytest.skip("HELM_TEST_INSPECT names no environment with the package inspect_ai")
    run, found = make_run(tmp_path, monkeypatch), {}
    for form in ("inspect", "inspect-eval"):
        export(["--suite", "mine", "--format", form, "--to", form])
        (name,) = os.listdir(form)
        program = [os.path.join(environment, "bin", "python"), "-c", READ, os.path.join(form, name)]
        done = subprocess.run(program, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr[-3000:]
        found[form] = json.loads(done.stdout.splitlines()[-1])
    summaries = found["inspect-eval"].pop("summaries")
    assert found["inspect"] == {**found["inspect-eval"], "samples": found["inspect"]["samples"]}
    read = {(s[0], s[1]): s for s in found["inspect-eval"]["samples"]}
    assert sorted(map(tuple, summaries)) == sorted(read) and len(read) == 8
    assert read == {(s[0], s[1]): s for s in found["inspect"]["samples"]}
    for (name, epoch), result in episodes(run).items():
        _, _, scores, failed, limit, roles = read[name, epoch + 1]
        assert scores == ({**result.rewards} if result.success else {}) and failed == (not result.success)
        assert limit == ("custom" if result.limit else None) and roles[0] == "user"
    (archive,) = os.listdir("inspect-eval")
    program = [os.path.join(environment, "bin", "inspect"), "log", "dump", os.path.join("inspect-eval", archive)]
    dumped = subprocess.run(program, capture_output=True, text=True, timeout=600)
    assert len(json.loads(dumped.stdout)["samples"]) == 8, dumped.stderr[-2000:]


def test_a_job_of_harbor_is_read(tmp_path, capsys):
    """Trials with a reward, several rewards, none, and at the end of their time; in the layout of Harbor 0.25."""
    trial = {
        "id": "00000000-0000-0000-0000-000000000001", "trial_uri": "file:///x", "task_id": {"path": "/tasks/a"},
        "source": "my-bench", "task_checksum": "abc", "config": {"task": {"path": "/tasks/a"}},
        "agent_info": {"name": "terminus-2", "version": "2.0", "model_info": {"name": "gpt-x", "provider": "openai"}},
        "started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:00Z",
        "agent_execution": {"started_at": "2026-01-01T00:00:10Z", "finished_at": "2026-01-01T00:00:40Z"},
    }  # fmt: skip
    used = {"n_input_tokens": 100, "n_cache_tokens": 40, "n_output_tokens": 7, "cost_usd": 0.25}
    timeout = {
        "exception_type": "AgentTimeoutError", "exception_message": "late", "exception_traceback": "",
        "occurred_at": "2026-01-01T00:00:40Z",
    }  # fmt: skip
    trials = {
        "a__1": {"task_name": "a", "verifier_result": {"rewards": {"reward": 1.0}}, "agent_result": used},
        "a__2": {
            "task_name": "a", "verifier_result": {"rewards": {"style": 0.5, "tests": 1}}, "started_at": "2026-01-01T00:05:00Z",
        },
        "b__1": {"task_name": "b", "verifier_result": {"rewards": {"reward": 0}}, "exception_info": timeout},
        "c__1": {"task_name": "c", "exception_info": {**timeout, "exception_type": "RewardFileNotFoundError"}},
        "d__1": {"task_name": "d", "exception_info": {**timeout, "exception_type": "EnvironmentStartTimeoutError"}},
    }  # fmt: skip
    for name, fields in trials.items():
        (tmp_path / "job" / name).mkdir(parents=True)
        (tmp_path / "job" / name / "result.json").write_text(json.dumps({**trial, "trial_name": name, **fields}))
    (tmp_path / "job" / "result.json").write_text(json.dumps({"id": "x", "n_total_trials": 6, "stats": {}}))
    agent = tmp_path / "job" / "a__1" / "agent"
    agent.mkdir()
    steps = [
        {"step_id": 1, "source": "user", "message": "Do it."},
        {"step_id": 2, "source": "agent", "message": "ok", "tool_calls": [
            {"tool_call_id": "c", "function_name": "bash", "arguments": {"command": "ls"}}],
         "observation": {"results": [{"source_call_id": "c", "content": "a.txt"}]}},
    ]  # fmt: skip
    document = {
        "schema_version": "ATIF-v1.6",
        "session_id": "s",
        "agent": {"name": "terminus-2", "version": "2.0"},
        "steps": steps,
    }
    (agent / "trajectory.json").write_text(json.dumps(document))
    (tmp_path / "job" / "a__1" / "verifier").mkdir()
    (tmp_path / "job" / "a__1" / "verifier" / "test-stdout.txt").write_text("1 passed\n")
    (tmp_path / "job" / "link").symlink_to(tmp_path / "job" / "a__1")
    (result,) = read([str(tmp_path / "job")], "s", str(tmp_path / "out"))
    assert result.name == "my-bench:agent=terminus-2,model=openai_gpt-x"
    assert (result.num_samples, result.num_failed) == (5, 2) and "1 of 6 samples are not in the log" in result.notes
    found = episodes(RunResults(result.run_path))
    first = found["a", 0]
    assert (first.reward, first.elapsed_s, first.working_s, first.usage["agent"].cost_usd) == (1.0, 60.0, 30.0, 0.25)
    kinds = ["message", "model", "tool_call", "tool_result", "score"]
    assert [event["kind"] for event in first.events] == kinds and first.events[-1]["log"] == "1 passed\n"
    assert found["a", 1].reward == 0.75 and found["a", 1].rewards["style"] == 0.5
    assert (found["b", 0].outcome, found["b", 0].reward, found["b", 0].limit.name) == ("limit", 0.0, "seconds")
    assert (found["c", 0].cause, found["c", 0].success) == ("verifier", False)
    assert (found["d", 0].cause, found["d", 0].outcome) == ("sandbox", "infrastructure")


def test_what_is_no_job_is_said(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(LogError, match="no job of Harbor"):
        list(read([str(tmp_path / "empty")], "s", str(tmp_path / "out"), "harbor"))
    (tmp_path / "job" / "t").mkdir(parents=True)
    (tmp_path / "job" / "t" / "result.json").write_text("{}")
    with pytest.raises(LogError, match="'task_name'"):
        list(read([str(tmp_path / "job")], "s", str(tmp_path / "out")))
    (tmp_path / "job" / "t" / "result.json").write_text('{"task_name"')
    with pytest.raises(LogError, match="not valid JSON"):
        list(read([str(tmp_path / "job")], "s", str(tmp_path / "out")))
