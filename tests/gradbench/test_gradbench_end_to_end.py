"""Whole runs of AD tools by the Runner: recipe, instances, a real process, metrics, files."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
from helm.benchmark.executing.execution import ExecutionSpec
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
    assert files.keys() == {"run_spec", "scenario", "scenario_state", "stats", "per_instance_stats", "coverage"}
    assert files["coverage"]["requests"]["status"] == {"ok": count}
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


# --- the command ---------------------------------------------------------------------------------------------------

SLOW_TOOL = """
import json, os, sys, time

def log(text):
    with open("tool.log", "a") as file:
        file.write(text + "\\n")

log(f"started {os.getpid()}")
for line in sys.stdin:
    message = json.loads(line)
    answer = {"id": message["id"]}
    if message["kind"] == "define":
        answer["success"] = True
    elif message["kind"] == "evaluate":
        log(f"evaluate {message['description']} {message['function']}")
        time.sleep(float(os.environ["TOOL_DELAY_S"]))
        answer.update(success=True, output=0.0, timings=[{"name": "evaluate", "nanoseconds": 5}])
    print(json.dumps(answer), flush=True)
"""


def helm_run_command(*entries):
    return [sys.executable, "-m", "helm.benchmark.run", "-m", "100", "--suite", "s", "-r", *entries]


def run_helm(folder, *entries, **environment):
    env = {**os.environ, **environment}
    return subprocess.run(helm_run_command(*entries), cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def tool_log(folder, word):
    path = folder / "tool.log"
    return [line for line in path.read_text().splitlines() if line.startswith(word)] if path.exists() else []


def without_round_trips(path):
    return re.sub(r'"elapsed_ns": \d+', "", path.read_text())


def test_a_killed_run_goes_on_without_repeating_what_was_finished(tmp_path):
    entry = "gradbench_llsq:n=4+5+6+7+8+9,m=2,model=tool/slow.py"
    folders = [tmp_path / "disturbed", tmp_path / "undisturbed"]
    for folder in folders:
        folder.mkdir()
        (folder / "slow.py").write_text(SLOW_TOOL)
    process = subprocess.Popen(
        helm_run_command(entry), cwd=folders[0], env={**os.environ, "TOOL_DELAY_S": "0.2"}, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(tool_log(folders[0], "evaluate")) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (pid,) = (int(line.split()[1]) for line in tool_log(folders[0], "started"))
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists(), "the tool outlived the killed run"

    for folder in folders:
        result = run_helm(folder, entry, TOOL_DELAY_S="0")
        assert result.returncode == 0, result.stderr
    asked = [tool_log(folder, "evaluate") for folder in folders]
    assert len(asked[1]) == 12
    assert asked[0][:3] == asked[1][:3] and sorted(set(asked[0])) == sorted(asked[1])
    assert len(asked[0]) == 13  # only the evaluation that was under way is asked for again
    assert len(tool_log(folders[0], "started")) == 2

    (run,) = folders[1].glob("benchmark_output/runs/s/gradbench*")
    names = {path.name for path in run.iterdir()}
    for name in names:
        disturbed = folders[0] / run.relative_to(folders[1]) / name
        if name in ("run_spec.json", "scenario.json", "scenario_state.json"):
            assert without_round_trips(disturbed) == without_round_trips(run / name)
    assert {path.name for path in (folders[0] / run.relative_to(folders[1])).iterdir()} == names


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("gradbench_llsq:n=4,model=simple/model1", ["no language model", "simple/model1", "gradbench/numpy"]),
        ("gradbench_llsq:n=4,model=gradbench/numpi", ["gradbench/numpi", "gradbench/numpy"]),
        ("gradbench_llsq:n=x4,model=gradbench/numpy", ["gradbench_llsq: n", "'x4'"]),
        ("gradbench_llsq:n=4,model=tool/missing.py", ["tool/missing.py"]),
        ("gradbench_llsq:n=4,model=tool/dead.py", ["tool/dead.py", "does not start", "exit code 3", "no luck today"]),
        ("gradbench_lsq:model=gradbench/numpy", ["gradbench_lsq", "gradbench_llsq"]),
        ("gradbench_llsq:n=4,timeout_s=-1,model=gradbench/numpy", ["timeout_s", "-1"]),
    ],
)
def test_bad_input_is_named(tmp_path, entry, words):
    (tmp_path / "dead.py").write_text("import sys\nprint('no luck today', file=sys.stderr)\nsys.exit(3)\n")
    result = run_helm(tmp_path, entry)
    assert result.returncode == 1
    output = result.stdout + result.stderr
    assert all(word in output for word in words), output
    assert "Traceback" not in output
    assert not list(tmp_path.glob("benchmark_output/runs/*/*/stats.json"))
