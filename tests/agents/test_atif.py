"""The Agent Trajectory Interchange Format, compared with the vectors."""

import json
import os
import subprocess
import sys

import pytest

from helm.agents.metrics import get_agent_figures
from helm.agents.trajectories.atif import EpisodeOrigin, from_atif, to_atif
from helm.agents.trajectories.atif_document import TrajectoryError, read_trajectory
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.agent_request import AgentRequest, AgentResult
from helm.common.codec import structure
from vectors_support import vector_cases

ORIGIN = EpisodeOrigin("demo:model=openai_gpt-x", "id0", 0, "helm.agents.agents.ReactLoop", "openai/gpt-x")
CASES = [case for case in vector_cases("agents/results_atif.json") if case["atif"]]


@pytest.mark.parametrize("case", vector_cases("agents/atif.json"), ids=lambda case: case["id"])
def test_documents(case):
    if case["expected"]["valid"]:
        from_atif(read_trajectory(case["document"]))
        return
    with pytest.raises(TrajectoryError):
        read_trajectory(case["document"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_episodes_as_documents(case):
    expected = case["atif"]
    found = to_atif(structure(case["result"], AgentResult), ORIGIN, expected["agent"]["tool_definitions"])
    assert found == expected
    read_trajectory(found)


def figures(result):
    state = new_request_state(Instance(Input(text=""), [], id="id0"), AgentRequest(), result=result)
    return {name: value for name, value in get_agent_figures(state).items() if "seconds" not in name}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_documents_as_episodes(case):
    """The figures survive both ways, and writing what was read changes nothing but the numbers of events."""
    document = case["atif"]
    result = from_atif(read_trajectory(document))
    expected = {name: value for name, value in (case["stats"] or {}).items() if "seconds" not in name}
    skipped = {"agent_refused", "agent_valid_tool_calls"}  # a document does not say which call fitted its schema
    found = figures(result)
    assert {k: v for k, v in found.items() if k not in skipped} == pytest.approx(
        {k: v for k, v in expected.items() if k not in skipped}
    )
    again = to_atif(result, ORIGIN, document["agent"]["tool_definitions"])
    for one, other in zip(again["steps"], document["steps"], strict=True):
        for step in (one, other):
            step.get("extra", {}).pop("event", None)
    assert again == document


def test_the_limit_of_an_episode_and_a_hostile_document():
    event = {"n": 0, "t": 0.0, "kind": "limit", "name": "turns", "limit": 5, "used": 5}
    found = to_atif(AgentResult(success=True, outcome="limit", events=[event]), ORIGIN)
    assert found["steps"][0]["message"] == "limit turns: 5 of 5" and "tool_definitions" not in found["agent"]
    deep = {"agent": {"name": "a", "version": "1"}, "steps": [{"step_id": 1, "source": "user", "message": ""}]}
    for number in range(200):
        deep = {**deep, "trajectory_id": str(number), "subagent_trajectories": [{**deep, "trajectory_id": "x"}]}
    with pytest.raises(TrajectoryError, match="levels"):
        read_trajectory(deep)


TASKS = """
defaults:
  environment:
    class_name: helm.agents.environments.python_domain.PythonDomain
    args: {class_name: agent_support.Shop, data: {stock: {apple: 5, pear: 2}}}
  agent: {class_name: helm.agents.agents.ReactLoop}
  check: {class_name: helm.agents.checks.DomainCheck, args: {arguments: {item: apple, left: 3}}}
tasks:
  - {id: sell, instruction: Sell two apples., solution: {calls: [{name: sell, arguments: {item: apple, number: 2}}]}}
  - {id: count, instruction: Count the pears., solution: {calls: [{name: count, arguments: {item: pear}}]}}
"""


def test_a_run_that_is_exported_and_imported(tmp_path):
    (tmp_path / "tasks.yaml").write_text(TASKS)
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(__import__("agent_support").__file__)}

    def command(name, *args):
        done = subprocess.run(
            [sys.executable, "-m", f"helm.benchmark.{name}", *args],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    command("run", "--suite", "s", "-m", "9", "--no-probe", "-r", "agent_tasks:path=tasks.yaml,model=agents/oracle")
    said = command("commands.export", "--suite", "s", "--format", "atif", "--to", "out")
    (folder,) = os.listdir(tmp_path / "out")
    assert "2 episodes" in said and len(os.listdir(tmp_path / "out" / folder)) == 2
    said = command("commands.import_results", f"out/{folder}", "--format", "atif", "--suite", "t")
    assert "2 samples" in said and "agent_success 0.5" in said
    runs = tmp_path / "benchmark_output" / "runs" / "t"
    (name,) = os.listdir(runs)
    states = json.loads((runs / name / "scenario_state.json").read_text())["request_states"]
    assert [state["result"]["counts"]["tool_calls"] for state in states] == [1, 1]
    command("commands.export", "--suite", "t", "--format", "atif", "--to", "again")
