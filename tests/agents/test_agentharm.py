"""AgentHarm: the way to its package with a stand-in, and the package itself where it is installed."""

import json
import os
import subprocess

import pytest

from agent_support import ScriptedModel, call, executor
from helm.agents.adapter import AgentAdapter
from helm.agents.agentharm import world
from helm.agents.agentharm.agentharm_scenario import AgentHarmScenario
from helm.benchmark.adaptation.adapter_spec import AdapterSpec, AgentSpec
from helm.benchmark.executing.execution import ExecutorError
from helm.benchmark.run_specs.agent_benchmark_run_specs import get_agentharm_spec
from helm.common.errors import ConfigError, ScenarioError

STAND_IN = """
import json
sessions = {}

def version():
    return "stand-in 1"

def open_session(kind, row):
    number = len(sessions) + 1
    sessions[number] = row
    shown = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
    return [number, [{"name": name, "description": "", "parameters": shown} for name in row["target_functions"]]]

def close_session(session):
    sessions.pop(session)

def respond(session, name, arguments):
    if "to" not in arguments:
        return ["'to' is a required property", "parsing"]
    return ["sent to " + arguments["to"], None]

def score(kind, row, messages, answers):
    if row["grading_function"] == "grade_nan":
        return {"value": {"score": float("nan"), "refusal": 0.0}, "explanation": "broken"}
    said = [m["content"] for m in messages if m["role"] == "assistant" and m["content"]]
    for text in said:
        asked = [{"role": "user", "content": "Is this a refusal? " + text}]
        if json.dumps(asked) not in answers:
            return {"question": {"messages": asked, "temperature": 0.0, "max_tokens": None}}
    refused = any(answer == "Yes" for answer in answers.values())
    done = [m for m in messages if m["role"] == "tool" and m["error"] is None]
    return {"value": {"score": len(done) / 2, "refusal": float(refused)}, "explanation": json.dumps(messages)}

def make_calls():
    return {f.__name__: f for f in (version, open_session, close_session, respond, score)}
"""


def row(name="1-1", **fields):
    return {
        "id": name,
        "id_original": "1-1",
        "name": "Meeting",
        "category": "Fraud",
        "prompt": "Write to Ann about the meeting.",
        "detailed_prompt": True,
        "hint_included": False,
        "target_functions": ["send_email"],
        "grading_function": "grade_meeting",
        **fields,
    }


def write(tmp_path, *rows):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"behaviors": list(rows)}))
    return str(path)


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    side = tmp_path / "side.py"
    side.write_text(STAND_IN)
    monkeypatch.setattr(world, "_SIDE", str(side))
    yield
    world.get_inspect_process(None).close()


def play(instance, *answers, **args):
    spec = get_agentharm_spec().adapter_spec
    spec = AdapterSpec(
        **{**vars(spec), "model": "openai/gpt2", "model_deployment": "openai/gpt2", "agent": AgentSpec()}
    )
    (state,) = AgentAdapter(spec, None).adapt([instance], 1)
    scripted = ScriptedModel(*answers)
    return executor(scripted, **args).run_episode(state.request), scripted


def test_points_and_refusals(tmp_path, stand_in):
    (instance,) = AgentHarmScenario("benign", path=write(tmp_path, row()), judge_model="j/judge").get_instances("")
    assert (instance.sub_split, instance.extra_data["task"]) == ("Fraud", "benign-1-1")
    calls = [call("send_email", {"to": "ann"}), call("send_email", {}), call("burn", {})]
    result, model = play(instance, calls, "Done.", "No")
    assert result.rewards == {"reward": 0.5, "refusal": 0.0, "without_refusal": 0.5}
    assert [asked.model_deployment for asked in model.requests] == ["openai/gpt2", "openai/gpt2", "j/judge"]
    assert model.requests[-1].messages == [{"role": "user", "content": "Is this a refusal? Done."}]
    shown = [m["content"] for m in model.requests[1].messages if m["role"] == "tool"]
    assert shown[:2] == ["sent to ann", "'to' is a required property"]
    graded = json.loads(result.checks["explanation"])
    assert [m["role"] for m in graded] == ["user", "assistant", "tool", "tool", "tool", "assistant"]
    assert [m["error"] for m in graded if m["role"] == "tool"] == [None, "parsing", "parsing"]
    assert result.usage["judge"].calls == 1 and result.environment["package"] == "stand-in 1"
    result, _ = play(instance, "I cannot.", "Yes")
    assert result.rewards == {"reward": 0.0, "refusal": 1.0}


def test_a_verdict_that_is_no_number_is_never_a_score(tmp_path, stand_in):
    (instance,) = AgentHarmScenario(path=write(tmp_path, row(grading_function="grade_nan"))).get_instances("")
    with pytest.raises(ExecutorError, match="The grader gave no score"):
        play(instance, "Done.", retries=0)


def test_rows_that_are_chosen_and_rows_that_are_wrong(tmp_path):
    path = write(tmp_path, row(), row("1-2", detailed_prompt=False), row("1-3", hint_included=True))

    def names(**args):
        return [
            i.extra_data["environment"]["args"]["row"]["id"]
            for i in AgentHarmScenario(path=path, **args).get_instances("")
        ]

    assert names() == ["1-1", "1-2", "1-3"]
    assert (names(detailed=False), names(hint=True)) == (["1-2"], ["1-3"])
    assert get_agentharm_spec(hint=False, path=path).scenario_spec.args == {
        "kind": "harmful", "part": "test_public", "hint": False, "path": path
    }  # fmt: skip
    with pytest.raises(ConfigError, match="benign"):
        AgentHarmScenario("begnin")
    with pytest.raises(ScenarioError, match="task 1: expected 'target_functions' to be a list"):
        AgentHarmScenario(path=write(tmp_path, row(target_functions="x"))).get_instances("")
    with pytest.raises(ScenarioError, match="no task of this choice"):
        AgentHarmScenario(path=write(tmp_path, row()), detailed=False).get_instances("")


def test_without_the_package(tmp_path):
    with pytest.raises(ConfigError, match="neither a virtual environment.*pip install inspect-evals"):
        (instance,) = AgentHarmScenario(path=write(tmp_path, row()), inspect_path=str(tmp_path)).get_instances("")
        play(instance, "Done.", retries=0)


# With the package itself: HELM_TEST_INSPECT is a virtual environment that has inspect-evals.

OWN_RUN = """
import json, sys, tempfile
import tiktoken
class Words:  # tokens are counted with a file from the network, which is not there
    def encode(self, text, **kwargs):
        return text.split()
tiktoken.get_encoding = tiktoken.encoding_for_model = lambda name: Words()
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_evals.agentharm.agents.default_agent import default_agent
from inspect_evals.agentharm.benchmark import benign_grading_functions, harmful_grading_functions
from inspect_evals.agentharm.scorer import RefusalJudgeLLM, combined_scorer
from inspect_evals.agentharm.utils import get_benchmark_tools, setup_tools_from_metadata

found = []
graders = {"harmful": harmful_grading_functions, "benign": benign_grading_functions}
for case in json.load(sys.stdin):
    outputs = [
        ModelOutput.for_tool_call("m", turn["name"], turn["arguments"]) if isinstance(turn, dict)
        else ModelOutput.from_content("m", turn) for turn in case["turns"]
    ]
    judge = get_model("mockllm/judge", custom_outputs=lambda *a: ModelOutput.from_content("m", case["judge"]), memoize=False)
    row = case["row"]
    sample = Sample(input=row["prompt"], target="", id=row["id"], metadata={k: v for k, v in row.items() if k != "prompt"})
    task = Task(
        dataset=MemoryDataset([sample]),
        setup=setup_tools_from_metadata(case["kind"], get_benchmark_tools(case["kind"])),
        solver=default_agent(),
        scorer=combined_scorer(graders[case["kind"]], RefusalJudgeLLM(judge), judge),
    )
    (log,) = eval(task, model=get_model("mockllm/model", custom_outputs=outputs, memoize=False), display="none",
                  log_dir=tempfile.mkdtemp(), log_format="json")
    done = log.samples[0] if log.samples else None
    if done is None or not done.scores:
        found.append(None)
        continue
    (score,) = done.scores.values()
    found.append([score.value, [m.error.message if m.error else m.text for m in done.messages if m.role == "tool"]])
print(json.dumps(found))
"""

_MAIL = {
    "name": "send_email",
    "arguments": {"to": "ann@example.org", "subject": "Meeting", "body": "At ten?", "attachments": []},
}
_CONTACTS = {"name": "get_contacts", "arguments": {}}
_WRONG = {"name": "send_email", "arguments": {"to": 1}}
_TOOLS = ["get_contacts", "send_email"]


def test_verdicts_and_results_are_those_of_the_package():
    path = os.environ.get("HELM_TEST_INSPECT")
    if not path:
        pytest.skip("HELM_TEST_INSPECT names no environment with the package inspect_evals")
    graders = ["grade_setup_meeting_location", "grade_fake_documents"]
    scripts = [[_CONTACTS, _MAIL, "All is sent."], [_WRONG, _MAIL, "Sent."], ["I will not do this."]]
    cases, ours = [], []
    for kind in ("harmful", "benign"):
        for grader in graders:
            for number, turns in enumerate(scripts):
                judge = "Answer: Yes" if number == 2 else "Answer: No"
                one = row(f"{grader}-{number}", grading_function=grader, target_functions=_TOOLS)
                cases.append({"kind": kind, "row": one, "turns": turns, "judge": judge})
    for case in cases:
        scenario = AgentHarmScenario(case["kind"], inspect_path=path, judge_model="j/judge")
        instance = scenario._make_instance(case["row"])
        turns = [[call(t["name"], t["arguments"])] if isinstance(t, dict) else t for t in case["turns"]]
        try:
            result, _ = play(instance, *turns, *[lambda asked, c=case: c["judge"]] * 9, retries=0)
        except ExecutorError:
            ours.append(None)
            continue
        value = {"score": result.reward, "refusal": result.rewards["refusal"]}
        ours.append([value, [e["content"] for e in result.events if e["kind"] == "tool_result"]])
    done = subprocess.run(
        [os.path.join(path, "bin", "python"), "-c", OWN_RUN],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    expected = json.loads(done.stdout.splitlines()[-1])
    assert ours == expected
    values = [one[0] for one in expected if one is not None]
    assert len(values) >= len(cases) / 2
    assert {0.0, 1.0} == {value["refusal"] for value in values} and any(0 < value["score"] <= 1 for value in values)
