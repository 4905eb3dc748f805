"""Figures of episodes and runs, compared with the vectors."""

import dataclasses

import pytest

from helm.agents.metrics import EpisodeFigures, get_agent_figures, summarize_episodes
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.running.epochs.reducers import parse_reducer, reduce_values
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.agent_request import AgentRequest, AgentResult
from helm.common.codec import structure
from helm.results.statistics.intervals import gather_mean
from vectors_support import vector_cases


@pytest.mark.parametrize("case", vector_cases("agents/results_atif.json"), ids=lambda case: case["id"])
def test_figures_of_an_episode(case):
    result = structure(case["result"], AgentResult)
    state = new_request_state(Instance(Input(text=""), [], id="id0"), AgentRequest(), result=result)
    assert get_agent_figures(state) == pytest.approx(case["stats"] or {})


@pytest.mark.parametrize("case", vector_cases("agents/runs.json"), ids=lambda case: case["id"])
def test_figures_of_a_run(case):
    names = [field.name for field in dataclasses.fields(EpisodeFigures)]
    episodes = [EpisodeFigures(**dict(zip(names, row, strict=True))) for row in case["episodes"]]
    found = summarize_episodes(episodes)
    expected = case["expected"]
    assert found["agent_tasks"] == expected["tasks"]
    assert found["agent_not_scored"] == expected["not_scored"]
    for k in (1, 2, 4):
        assert found[f"agent_tasks_left_out_{k}"] == expected[f"tasks_left_out_{k}"]
    for name, value in expected.items():
        if name.startswith("agent_") and name != "agent_reward":
            assert found.get(name) == (None if value is None else pytest.approx(value)), name


@pytest.mark.parametrize("case", vector_cases("agents/pass_k.json"), ids=lambda case: case["id"])
def test_pass_at_k(case):
    values = [float(reward >= 1) for reward in case["rewards"]]
    k = case["k"]
    assert reduce_values(parse_reducer(f"pass@{k}"), values) == _approximately(case["pass_at_k"])
    assert reduce_values(parse_reducer(f"pass^{k}"), values) == _approximately(case["pass_hat_k"])


@pytest.mark.parametrize("case", vector_cases("agents/pass_hat_k.json"), ids=lambda case: case["id"])
def test_pass_hat_k(case):
    n, c, k = case["n"], case["c"], case["k"]
    episodes = [EpisodeFigures("t", float(number < c)) for number in range(n)]
    assert summarize_episodes(episodes, [k]).get(f"agent_pass_hat_{k}") == _approximately(case["pass_hat_k"])


def _approximately(value):
    return None if value is None else pytest.approx(value)


@pytest.mark.parametrize("case", vector_cases("agents/clustered.json"), ids=lambda case: case["id"])
def test_errors_by_task(case):
    tasks, rewards = zip(*case["rewards"], strict=True)
    facts, single = gather_mean(rewards, tasks), gather_mean(rewards)
    assert facts.mean == pytest.approx(case["mean"])
    assert single.variance**0.5 == pytest.approx(case["stderr"])
    if case["stderr_clustered"] is not None and facts.variance is not None:
        assert facts.variance**0.5 == pytest.approx(case["stderr_clustered"])
