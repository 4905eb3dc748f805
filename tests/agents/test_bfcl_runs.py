"""Entries of the function-calling leaderboard as tasks: data in its layout, scripted models, and a run by the command."""

import json
import os
import subprocess
import sys

import pytest

from agent_support import ScriptedModel, call, executor
from helm.agents.adapter import AgentAdapter
from helm.agents.bfcl.bfcl_scenario import BfclScenario, find_categories
from helm.agents.bfcl.metrics import BfclMetric
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.run_specs.agent_benchmark_run_specs import get_bfcl_spec
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.agent_request import AgentRequest, AgentResult
from helm.common.errors import ConfigError, ScenarioError

AREA = {
    "name": "geometry.area",
    "description": "Area of a triangle.",
    "parameters": {
        "type": "dict",
        "properties": {"base": {"type": "integer"}, "height": {"type": "float"}, "unit": {"type": "string"}},
        "required": ["base", "height"],
    },
}
FILES = [
    {
        "name": name,
        "description": name,
        "parameters": {"type": "dict", "properties": {key: {"type": "string"} for key in keys}},
    }
    for name, keys in {"mkdir": ["dir_name"], "touch": ["file_name"], "ls": [], "rm": ["file_name"]}.items()
]
USER = [[{"role": "user", "content": "A triangle of base 10 and height 5?"}]]


@pytest.fixture
def folder(tmp_path):
    def write(name, *rows):
        path = tmp_path / "bfcl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    write("BFCL_v4_simple_python.json", {"id": "simple_python_0", "question": USER, "function": [AREA]})
    answer = {"geometry.area": {"base": [10], "height": [5], "unit": ["", "m"]}}
    write("possible_answer/BFCL_v4_simple_python.json", {"id": "simple_python_0", "ground_truth": [answer]})
    java = {"name": "A.f", "description": "d.", "parameters": {"type": "dict", "properties": {"n": {"type": "long"}}}}
    write("BFCL_v4_simple_java.json", {"id": "simple_java_0", "question": USER, "function": [java]})
    write("possible_answer/BFCL_v4_simple_java.json", {"id": "simple_java_0", "ground_truth": [{"A.f": {"n": [7]}}]})
    write("BFCL_v4_irrelevance.json", {"id": "irrelevance_0", "question": USER, "function": [AREA]})
    entry = {
        "id": "multi_turn_miss_func_0",
        "question": [
            [{"role": "user", "content": "Make a folder a."}],
            [{"role": "user", "content": "And a file b."}],
            [],
        ],
        "initial_config": {"GorillaFileSystem": {"root": {"home": {"type": "directory", "contents": {}}}}},
        "involved_classes": ["GorillaFileSystem"],
        "excluded_function": ["rm"],
        "missed_function": {"2": ["touch"]},
    }
    write("BFCL_v4_multi_turn_miss_func.json", entry)
    turns = [["mkdir(dir_name='a')"], [], ["touch('b')"]]
    write("possible_answer/BFCL_v4_multi_turn_miss_func.json", {"id": entry["id"], "ground_truth": turns})
    write("multi_turn_func_doc/gorilla_file_system.json", *FILES)
    return str(tmp_path / "bfcl")


def play(folder, category, *answers, **args):
    """The result of the only episode of a category, and the model."""
    (instance,) = BfclScenario(category, path=folder, **args).get_instances("")
    spec = get_bfcl_spec(category).adapter_spec
    spec = AdapterSpec(**{**vars(spec), "model": "openai/gpt2", "model_deployment": "openai/gpt2"})
    (state,) = AgentAdapter(spec, None).adapt([instance], 1)
    model = ScriptedModel(*answers)
    return executor(model).run_episode(state.request), model


@pytest.mark.parametrize(
    ("category", "answer", "problem"),
    [
        ("simple_python", [call("geometry_area", '{"base": 10, "height": 5}')], None),
        ("simple_python", [call("geometry_area", {"base": 10, "height": 5, "unit": "M"})], None),
        ("simple_python", [call("geometry_area", {"base": "10", "height": 5})], "type_error:simple"),
        ("simple_python", [call("geometry_area", "{base")], "ast_decoder:decoder_failed"),
        ("simple_python", "50", "ast_decoder:decoder_failed"),
        ("simple_java", [call("A_f", {"n": "7L"})], None),
        ("simple_java", [call("A_f", {"n": 7})], "type_error:java"),
        ("irrelevance", "I cannot.", None),
        ("irrelevance", [call("geometry_area", {"base": 1, "height": 1})], "irrelevance:calls"),
    ],
)
def test_one_answer(folder, category, answer, problem):
    result, model = play(folder, category, answer)
    assert result.reward == float(problem is None) and result.checks["problem"] == problem
    (shown,) = model.requests[0].tools
    properties = shown["function"]["parameters"]["properties"]
    if category == "simple_java":
        assert properties["n"]["type"] == "string" and "type long" in properties["n"]["description"]
    else:
        assert shown["function"]["name"] == "geometry_area" and properties["height"]["type"] == "number"


def test_calls_written_as_text(folder):
    result, model = play(folder, "simple_python", "[geometry.area(base=10, height=5)]", tools="prompted")
    assert result.reward == 1 and model.requests[0].tools is None
    assert '"geometry.area"' in model.requests[0].messages[0]["content"]
    assert play(folder, "simple_python", "geometry_area(base=10, height=5)", tools="prompted")[0].reward == 0


def test_several_turns(folder):
    mkdir, touch = [call("mkdir", {"dir_name": "a"})], [call("touch", {"file_name": "b"})]
    result, model = play(folder, "multi_turn_miss_func", mkdir, "Done.", "I cannot.", touch, "Done.")
    assert result.reward == 1, result.checks
    names = [[tool["function"]["name"] for tool in asked.tools] for asked in model.requests]
    assert names == [["mkdir", "ls"]] * 3 + [["mkdir", "ls", "touch"]] * 2
    assert [m["content"] for m in model.requests[1].messages if m["role"] == "tool"] == ["None"]
    assert result.state["changes"]

    result, _ = play(folder, "multi_turn_miss_func", mkdir, "Done.", "No.", "No.")
    assert result.reward == 0 and result.checks["problem"] == "multi_turn:empty_turn_model_response"
    result, _ = play(folder, "multi_turn_miss_func", *[[call("ls", {})]] * 20)
    assert (result.outcome, result.reward) == ("invalid", 0)
    assert result.checks["problem"] == "multi_turn:force_terminated"


def test_a_run_by_the_command(folder, tmp_path):
    entry = f"bfcl:category=simple_python+irrelevance+multi_turn_miss_func,path={folder}"
    entries = [f"{entry},model=agents/oracle", f"{entry},model=agents/nothing"]
    command = [sys.executable, "-m", "helm.benchmark.run", "--suite", "s", "-m", "100", "--no-probe", "-r", *entries]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    runs = tmp_path / "benchmark_output" / "runs" / "s"
    for model, expected in (("oracle", 1.0), ("nothing", 1 / 3)):
        (name,) = (name for name in os.listdir(runs) if model in name)
        stats = json.loads((runs / name / "stats.json").read_text())
        stats = {s["name"]["name"]: s for s in stats if not s["name"].get("sub_split")}
        assert stats["agent_success"]["mean"] == pytest.approx(expected)
        assert "bfcl_overall" not in stats and "bfcl_multi_turn" not in stats


def test_what_cannot_be_run_is_named(folder):
    with pytest.raises(ConfigError, match="web_search.*memory"):
        find_categories("memory_kv")
    with pytest.raises(ConfigError, match="tools=native"):
        BfclScenario("multi_turn", tools="prompted")
    with pytest.raises(ScenarioError, match="There is no file .*multiple"):
        BfclScenario("multiple", path=folder).get_instances("")
    assert len(find_categories("all")) == 17
    with pytest.raises(ScenarioError, match="There is no file .*multi_turn_long_context"):
        BfclScenario("multi_turn_long_context", path=folder).get_instances("")


def test_groups_of_categories_are_combined():
    names = ["simple_python", "simple_java", "simple_javascript", "multiple", "parallel", "parallel_multiple"]
    states = []
    for number, name in enumerate(names):
        instance = Instance(Input(text=""), [], split="test", sub_split=name, id=f"id{number}")
        result = AgentResult(success=True, outcome="stopped", reward=float(number < 3))
        states.append(new_request_state(instance, AgentRequest(), result=result))
    failed = Instance(Input(text=""), [], split="test", sub_split="multiple", id="id9")
    states.append(new_request_state(failed, AgentRequest(), result=AgentResult()))
    found = BfclMetric().evaluate(ScenarioState(AdapterSpec(), states), None, "", 1)
    assert {stat.name.name: stat.mean for stat in found.aggregated_stats} == {
        "bfcl_non_live_simple": 1,
        "bfcl_non_live": 0.25,
    }
