"""The domains and the evaluation of tau2-bench, compared with the vectors."""

import copy
import json
import os

import pytest

from agent_support import ScriptedModel, call, executor
from helm.agents.adapter import AgentAdapter
from helm.agents.tau2.airline import AirlineDomain
from helm.agents.tau2.domain import hash_of
from helm.agents.tau2.evaluation import ReplayError, evaluate
from helm.agents.tau2.mock import MockDomain
from helm.agents.tau2.retail import RetailDomain
from helm.agents.tau2.tau2_scenario import Tau2Scenario
from helm.benchmark.adaptation.adapter_spec import AdapterSpec, AgentSpec
from helm.benchmark.executing.execution import ExecutorError
from helm.benchmark.run_specs.agent_benchmark_run_specs import get_tau2_spec
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from vectors_support import load_vectors, vector_cases

DATA = load_vectors("agents/tau2_data.json")
DOMAINS = {made.name: made for made in (AirlineDomain, MockDomain, RetailDomain)}


def new_domain(name, solo=False):
    found = copy.deepcopy([DATA["databases"][name], DATA["user_databases"].get(name)])
    return DOMAINS[name](*found, solo)


@pytest.mark.parametrize("name", list(DOMAINS))
def test_data_bases_and_lists_of_tools(name):
    domain = new_domain(name)
    found, of_user = domain.hashes()
    assert found == DATA["hashes"][name]
    assert name != "mock" or of_user == DATA["hashes"]["mock_user"]
    for tool in DATA["tools"][name]:
        found = domain.tool(tool["requestor"], tool["name"])
        assert (found.kind, found.changes) == (tool["type"], tool["mutates_state"])
    assert sum(len(domain.described(requestor)) for requestor in ("assistant", "user")) == len(DATA["tools"][name])


@pytest.mark.parametrize("case", vector_cases("agents/tau2_tools.json"), ids=lambda case: case["id"])
def test_tools(case):
    domain = new_domain(case["domain"])
    for made in case["calls"]:
        content, error = domain.respond(made["requestor"], made["name"], made["arguments"])
        assert error == made["error"], (made, content)
        if "validation error" not in made["content"]:  # the words of the library that the original reads with
            assert content == made["content"], made
    assert hash_of(domain.tools.db) == case["db_hash"]


@pytest.mark.parametrize("case", vector_cases("agents/tau2_evaluation.json"), ids=lambda case: case["id"])
def test_evaluation(case):
    verdicts = iter(case["nl_verdicts"])

    def found():
        return evaluate(
            lambda: new_domain(case["domain"], case["solo"]),
            case["task"],
            case["messages"],
            case["termination_reason"],
            lambda assertions: [next(verdicts) for _ in assertions],
            case["evaluation"],
        )

    expected = case["expected"]
    if "raises" in expected:
        with pytest.raises(ReplayError):
            found()
        return
    result = found()
    assert (result.reward, result.breakdown, result.note) == (
        expected["reward"],
        expected["reward_breakdown"],
        expected["note"],
    )
    assert (result.db_match, result.env_assertions) == (expected["db_match"], expected["env_assertions"])
    assert [list(check) for check in result.action_checks] == expected["action_checks"]
    assert [list(check) for check in result.communicate_checks] == expected["communicate_checks"]
    assert result.nl_assertions == expected["nl_assertions"]
    assert result.partial_action_reward == expected.get("partial_action_reward")


def test_one_environment_is_open_at_a_time_while_a_conversation_is_scored():
    """That of the episode comes on top; each may be a process's copy of large data bases."""
    case = next(case for case in vector_cases("agents/tau2_evaluation.json") if case["expected"].get("action_checks"))
    is_open = []

    def new():
        assert not any(is_open)
        domain, number = new_domain(case["domain"], case["solo"]), len(is_open)
        is_open.append(True)
        domain.close = lambda: is_open.__setitem__(number, False)
        return domain

    verdicts = iter(case["nl_verdicts"])
    reason = case["termination_reason"]
    evaluate(new, case["task"], case["messages"], reason, lambda texts: [next(verdicts) for _ in texts])
    assert is_open == [False, False]


@pytest.fixture
def folder(tmp_path):
    """The data of the domain `mock` in the layout of the original, with tasks of the vectors."""
    found = {case["task"]["id"]: case["task"] for case in vector_cases("agents/tau2_evaluation.json")}
    names = ["create_task_1", "update_task_with_user_tools", "update_task_with_message_history"]
    user = {
        "persona": None,
        "instructions": {"domain": "mock", "reason_for_call": "You want a task.", "known_info": "a\nb"},
    }
    tasks = [{**found[name], "user_scenario": user} for name in names]
    files = {
        "domains/mock/tasks.json": json.dumps(tasks),
        "domains/mock/policy.md": "Be kind.",
        "domains/mock/db.json": json.dumps(DATA["databases"]["mock"]),
        "domains/mock/user_db.json": json.dumps(DATA["user_databases"]["mock"]),
        "user_simulator/simulation_guidelines_tools.md": "Play the user.",
    }
    for name, text in files.items():
        path = tmp_path / "tau2" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(tmp_path / "tau2")


def play(folder, number, *answers, agent=None, judge=""):
    instance = Tau2Scenario("mock", user_model="u/user", judge_model=judge, path=folder).get_instances("")[number]
    spec = get_tau2_spec("mock").adapter_spec
    named = AgentSpec(agent=ObjectSpec(f"helm.agents.agents.{agent}")) if agent else None
    spec = AdapterSpec(**{**vars(spec), "model": "openai/gpt2", "model_deployment": "openai/gpt2", "agent": named})
    (state,) = AgentAdapter(spec, None).adapt([instance], 1)
    scripted = ScriptedModel(*answers)
    return executor(scripted).run_episode(state.request), scripted


def test_a_conversation_with_a_user_that_has_tools(folder):
    update = [call("update_task_status", {"task_id": "task_1", "status": "completed"})]
    result, model = play(
        folder,
        1,
        [call("dismiss_notification", {"notification_id": "notif_1"})],
        "Please complete task_1.",
        update,
        "Done.",
        "Thanks. ###STOP###",
    )
    assert result.outcome == "stopped"
    # As in the vectors: the gold actions do not dismiss, so the user's data base is another one.
    assert result.rewards == {"reward": 0, "db": 0, "env_assertion": 1, "action": 1, "actions": 1}
    assert [asked.model_deployment for asked in model.requests] == ["u/user", "u/user", *["openai/gpt2"] * 2, "u/user"]
    of_user, of_agent = model.requests[0], model.requests[2]
    assert "<scenario>" in of_user.messages[0]["content"] and "\ta\n\tb" in of_user.messages[0]["content"]
    assert [tool["function"]["name"] for tool in of_user.tools] == ["check_notifications", "dismiss_notification"]
    assert "Be kind." in of_agent.messages[0]["content"]
    assert not any("dismiss" in json.dumps(message) for message in of_agent.messages)
    assert result.usage["user"].calls == 3 and result.counts.tool_calls == 1


def test_a_conversation_that_does_not_end_is_not_looked_at(folder):
    create = [call("create_task", {"user_id": "user_1", "title": "Important Meeting"})]
    errors = [[call("create_task", {"user_id": "nobody", "title": "x"})]] * 10
    result, _ = play(folder, 0, "Hello", create, *errors)
    assert (result.reward, result.outcome) == (0, "invalid") and result.checks["termination_reason"] == "max_steps"
    result, _ = play(folder, 0, "Hello", create, "Bye. ###STOP###")
    assert (result.reward, result.checks["termination_reason"]) == (1.0, "agent_stop")


def test_the_oracle_and_what_is_not_there(folder):
    instances = Tau2Scenario("mock", path=folder).get_instances("")
    assert len(instances) == 2  # the third begins in the middle of a conversation
    result, _ = play(folder, 0, agent="OracleAgent")
    assert result.reward == 1
    result, _ = play(folder, 0, agent="NothingAgent")
    assert result.reward == 0
    with pytest.raises(ConfigError, match="takes .*retail"):
        Tau2Scenario("retial")


@pytest.mark.parametrize(("answer", "outcome"), [("[true]", "stopped"), ("Yes", "infrastructure")])
def test_a_judge_of_assertions(folder, answer, outcome):
    path = os.path.join(folder, "domains", "mock", "tasks.json")
    with open(path) as file:
        tasks = json.load(file)
    tasks[0]["evaluation_criteria"]["reward_basis"] = ["NL_ASSERTION"]
    with open(path, "w") as file:
        json.dump(tasks, file)
    args = ("Hello", "Bye. ###STOP###", answer)
    if outcome == "infrastructure":
        with pytest.raises(ExecutorError, match="booleans"):
            play(folder, 0, *args, *args, judge="u/judge")
        return
    result, model = play(folder, 0, *args, judge="u/judge")
    assert result.reward == 1 and model.requests[-1].model_deployment == "u/judge"
    assert result.usage["judge"].calls == 1
