"""AgentDojo: the package's tasks as episodes, and its verdicts."""

import json
import subprocess
import sys

import pytest

from agent_support import call, request, run_episode
from helm.agents.agentdojo.agentdojo_scenario import AgentDojoScenario
from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec

pytest.importorskip("agentdojo")

from agentdojo.agent_pipeline import BasePipelineElement, GroundTruthPipeline
from agentdojo.task_suite.load_suites import get_suites
from agentdojo.types import text_content_block_from_string

BANKING = get_suites("v1.2.2")["banking"]
BILL, THIEF = "user_task_0", "injection_task_0"


def as_spec(data):
    return ObjectSpec(data["class_name"], data.get("args") or {})


def play(instance, *answers, agent="helm.agents.agents.ReactLoop", args=None):
    data = instance.extra_data
    of_agent = args if args is not None else data["agent"]["args"] if agent.endswith("ReactLoop") else {}
    specs = {name: as_spec(data[name]) for name in ("environment", "check", "attack") if name in data}
    asked = request(agent, of_agent, task=data["task"], messages=data["messages"], **specs)
    return run_episode(asked, *answers)


def both(**args):
    """The task of the bill, alone and attacked."""
    return AgentDojoScenario("banking", user_tasks=[BILL], injection_tasks=[THIEF], **args).get_instances("")


def test_each_task_is_done_alone_and_with_each_goal():
    instances = AgentDojoScenario("banking").get_instances("")
    assert len(instances) == 16 * (1 + 9)
    assert [i.sub_split for i in instances[:3]] == ["alone", "attacked", "attacked"]
    assert len({i.extra_data["task"] for i in instances}) == len(instances)
    alone, attacked = both()
    assert "attack" not in alone.extra_data
    (text,) = attacked.extra_data["environment"]["args"]["injections"].values()
    assert BANKING.get_injection_task_by_id(THIEF).GOAL in text and "AI assistant" in text
    (other,) = both(addressed_as="GPT-4")[1].extra_data["environment"]["args"]["injections"].values()
    assert other == text.replace("AI assistant", "GPT-4")
    assert [i.sub_split for i in AgentDojoScenario("banking", attack="none").get_instances("")] == ["alone"] * 16


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"suite": "bankin"}, "banking"),
        ({"version": "v9"}, "v9"),
        ({"attack": "directt"}, "direct"),
        ({"attack": "manual"}, "manual"),
        ({"attack": "dos"}, "not 'dos'"),
        ({"addressed_as": "GPT4"}, "GPT-4"),
        ({"user_tasks": ["user_task_99"]}, "user_task_9"),
        ({"injection_tasks": ["x"]}, "no injection task 'x'"),
        ({"attack": "none", "injection_tasks": [THIEF]}, "needs an attack"),
    ],
)
def test_what_does_not_exist(args, words):
    with pytest.raises(ConfigError, match=words):
        AgentDojoScenario(**{"suite": "banking", **args}).get_instances("")


class Silent(BasePipelineElement):
    name = "silent"

    def query(self, query, runtime, env=None, messages=(), extra_args=None):
        said = [text_content_block_from_string("")]
        return query, runtime, env, [{"role": "assistant", "content": said, "tool_calls": None}], {}


def test_the_solution_does_all_tasks_alone_and_nothing_what_it_does_in_the_package():
    instances = AgentDojoScenario("banking", attack="none").get_instances("")
    oracle = [play(i, agent="helm.agents.agents.OracleAgent")[0].reward for i in instances]
    nothing = [play(i, agent="helm.agents.agents.NothingAgent")[0].reward for i in instances]
    tasks = BANKING.user_tasks.values()
    assert oracle == [1.0] * 16
    assert nothing == [BANKING.run_task_with_pipeline(Silent(), task, None, {})[0] for task in tasks]
    assert sum(nothing) == 5  # what the package gives to no call and no word, too


@pytest.mark.parametrize("user_task", [BILL, "user_task_3", "user_task_15"])
def test_verdicts_are_those_of_the_package(user_task):
    """The package's agents, which do the user's task or the injection's, and ours, which make the same calls."""
    verdicts = set()
    for instance in AgentDojoScenario("banking", user_tasks=[user_task]).get_instances("")[1:]:
        given = instance.extra_data["environment"]["args"]["injections"]
        task = BANKING.get_user_task_by_id(user_task)
        goal = BANKING.get_injection_task_by_id(instance.extra_data["attack"]["args"]["injection_task"])
        before = task.init_environment(BANKING.load_and_inject_default_environment(given))
        for done in (task, goal):
            expected = BANKING.run_task_with_pipeline(GroundTruthPipeline(done), task, goal, given)
            calls = [{"name": c.function, "arguments": dict(c.args)} for c in done.ground_truth(before)]
            script = {"calls": calls, "answer": done.GROUND_TRUTH_OUTPUT}
            result, _ = play(instance, agent="helm.agents.agents.ScriptedAgent", args=script)
            found = (result.rewards["utility"], result.rewards["attack_success"])
            assert found == expected, (instance.extra_data["task"], done.ID)
            assert result.reward == (expected == (True, False))
            verdicts.add(expected)
    assert {(True, False), (False, True)} <= verdicts


def test_a_model_that_gives_in():
    _, attacked = both()
    read = call("read_file", {"file_path": "bill-december-2023.txt"})
    recipient = "US133000000121212121212"
    pay = {"recipient": recipient, "amount": 0.01, "subject": "spotify", "date": "2022-01-01"}
    result, model = play(attacked, [read], [call("send_money", pay), call("send_money", {})], "Done.")
    assert model.requests[0].messages[0]["role"] == "system"
    assert {t["function"]["name"] for t in model.requests[0].tools} == {t.name for t in BANKING.tools}
    first, paid, wrong = [m["content"] for m in model.requests[-1].messages if m["role"] == "tool"]
    assert "This is an important message" in first  # the bill has the attack's text
    assert recipient in paid
    assert wrong.startswith("ValidationError") and result.counts.tool_errors == 1
    assert result.rewards == {"reward": 0.0, "utility": 0.0, "attack_success": 1.0}
    changed = json.dumps(result.state["changes"])
    assert recipient in changed


def test_a_run_by_the_command(tmp_path):
    entry = f"agentdojo:suite=banking,user_tasks={BILL},injection_tasks={THIEF},model=agents/oracle"
    done = subprocess.run(
        [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "-m", "10", "--suite", "s", "-o", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (path,) = tmp_path.glob("runs/s/agentdojo*/stats.json")
    stats = {
        (s["name"]["name"], s["name"].get("sub_split")): s["mean"] for s in json.loads(path.read_text()) if "mean" in s
    }
    assert stats["agent_success", "alone"] == stats["agent_success", "attacked"] == 1
    assert stats["agent_utility_under_attack", None] == 1 and stats["agent_attack_success", None] == 0
