"""The Agent Trajectory Interchange Format, compared with the vectors."""

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
