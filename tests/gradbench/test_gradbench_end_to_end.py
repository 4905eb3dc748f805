"""Whole runs of AD tools by the Runner: recipe, instances, a real process, metrics, files."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.execution import ExecutionSpec
from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.runner import Runner
from helm.common.authentication import Authentication

STUB = Path(__file__).with_name("stub_tool.py")
RECIPES = [
    ("gradbench_hello", {}, 8),
    ("gradbench_llsq", {"n": "16-64", "m": 9, "min_runs": 3, "min_seconds": 0}, 6),
    ("gradbench_gmm", {"d": "1+3", "k": 2, "n": 20, "min_seconds": 0}, 4),
]


@pytest.fixture
def run_with(tmp_path, isolated_registries):
    """Runs a recipe with a model; gives the files of the run, parsed."""
    register_builtin_configs_from_helm_package()

    def run(recipe, arguments, model):
        spec = get_run_spec_function(recipe)(**arguments)
        adapter_spec = replace(spec.adapter_spec, model=model, model_deployment=model)
        spec = replace(spec, name=f"{spec.name},model={model.replace('/', '_')}", adapter_spec=adapter_spec)
        execution_spec = ExecutionSpec(url=None, auth=Authentication(""), local_path=str(tmp_path), parallelism=4)
        runner = Runner(execution_spec, str(tmp_path / "out"), "v1", False, False, False, False, exit_on_error=True)
        runner.run_all([spec])
        folder = tmp_path / "out" / "runs" / "v1" / spec.name
        return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}

    return run


def means(files):
    return {stat["name"]["name"]: stat.get("mean") for stat in files["stats"]}


@pytest.mark.parametrize("model", ["gradbench/numpy", "gradbench/finite"])
@pytest.mark.parametrize(("recipe", "arguments", "count"), RECIPES, ids=[recipe for recipe, *_ in RECIPES])
def test_the_builtin_tools_solve_the_evals(run_with, recipe, arguments, count, model):
    files = run_with(recipe, arguments, model)
    assert files.keys() == {"run_spec", "scenario", "scenario_state", "stats", "per_instance_stats"}
    states = files["scenario_state"]["request_states"]
    assert len(states) == count
    assert all(state["request"]["kind"] == "evaluate" for state in states)
    assert all(state["result"]["kind"] == "evaluate" and state["result"]["timings"] for state in states)
    assert means(files)["solved"] == means(files)["valid"] == 1.0
    assert means(files)["evaluate_time_s"] > 0


def test_a_chain_records_what_was_really_sent(run_with):
    states = run_with("gradbench_hello", {}, "gradbench/numpy")["scenario_state"]["request_states"]
    assert [state["request"].get("input_from") for state in states] == [None, *(f"id{i}" for i in range(7))]
    assert [state["result"].get("resolved_input") for state in states] == [None, 1, 2, 4, 8, 64, 128, 16384]
    assert [state["result"]["output"] for state in states] == [1, 2, 4, 8, 64, 128, 16384, 32768]


def test_a_python_file_is_evaluated_by_its_name_alone(run_with, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from helm.gradbench.tools.server import Tool, ToolFunction, serve\n"
        "serve(Tool('mine', {'hello': {'square': ToolFunction(lambda x: x * x + 1, is_repeated=False)}}.get))\n"
    )
    result = means(run_with("gradbench_hello", {}, "tool/mine.py"))
    assert (result["valid"], result["solved"], result["failed"]) == (
        0.0,
        0.0,
        0.875,
    )  # a wrong square, then a failed `double` breaks the chain


def test_a_tool_that_lacks_the_module_is_undefined_and_not_invalid(run_with):
    register_model_deployment(
        ModelDeployment(
            name="test/stub",
            client_spec=ClientSpec(
                "helm.gradbench.tool_client.ToolClient", {"command": [sys.executable, "-S", str(STUB), "fail"]}
            ),
        )
    )
    result = means(run_with("gradbench_llsq", {"n": 4, "m": 2}, "test/stub"))
    assert (result["undefined"], result["solved"]) == (1.0, 0.0)
    assert "valid" not in result and "evaluate_time_s" not in result


def test_a_workload_that_takes_too_long_times_out_and_the_others_go_on(run_with):
    arguments = {"d": "2+64", "k": 5, "n": 500, "min_seconds": 0, "timeout_s": 3}
    files = run_with("gradbench_gmm", arguments, "gradbench/finite")
    statuses = [state["result"]["status"] for state in files["scenario_state"]["request_states"]]
    assert statuses == ["ok", "ok", "ok", "timeout"]
    assert (means(files)["timed_out"], means(files)["valid"]) == (0.25, 1.0)
