"""`helm.scenario`, `helm.metric` and `helm.model`: parts from functions, and their class paths in other processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import helm
from helm.benchmark import run

MODULE = '''
"""Tasks of a user."""
import helm

@helm.metric(name="deviation", lower_is_better=True)
def off_by(output, target):
    return abs(float(output) - float(target))

@helm.scenario(instructions="Add.", metrics=[off_by], max_tokens=9, stop_sequences=["."])
def sums(n: int = 4, step: int = 1):
    """Sums of small numbers."""
    for i in range(0, n * step, step):
        yield {"input": f"{i}+{i}=", "target": str(2 * i), "id": f"sum{i}", "level": i}

@helm.model
def adder(prompt: str) -> str:
    return str(eval(prompt.splitlines()[-1].rstrip("=")) + 1)
'''


@pytest.fixture
def tasks(own_folder, monkeypatch):
    """A module of a user."""
    (own_folder / "my_tasks_for_tests.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(own_folder))
    import my_tasks_for_tests

    yield my_tasks_for_tests
    del sys.modules["my_tasks_for_tests"]


def run_files(name, folder="benchmark_output"):
    path = Path(folder) / "runs" / "default" / name
    return {file.name: json.loads(file.read_text()) for file in path.glob("*.json")}


def test_functions_of_a_module_are_recorded_by_their_paths(tasks):
    results = helm.evaluate(tasks.sums, tasks.adder, progress="none")
    (row,) = results.scores().to_dict("records")
    assert (row["task"], row["model"], row["metric"]) == ("sums", "python/my_tasks_for_tests.adder", "deviation")
    assert (row["score"], row["answered"]) == (1.0, 4)
    spec = run_files("sums:model=python_my_tasks_for_tests.adder")["run_spec.json"]
    assert spec["scenario_spec"] == {
        "class_name": "helm.benchmark.scenarios.function_scenario.FunctionScenario",
        "args": {"function": "my_tasks_for_tests.sums"},
    }
    assert spec["metric_specs"][-1]["args"] == {
        "function": "my_tasks_for_tests.off_by", "name": "deviation", "lower_is_better": True,
    }  # fmt: skip
    assert (spec["adapter_spec"]["instructions"], spec["adapter_spec"]["max_tokens"]) == ("Add.\n", 9)
    assert spec["adapter_spec"]["stop_sequences"] == ["."]
    assert run_files(spec["name"])["scenario.json"]["description"] == "Sums of small numbers."


def test_the_command_runs_the_same_parts_in_another_process(tasks, own_folder):
    results = helm.evaluate("sums:n=3,step=2", tasks.adder, progress="none", output_path="api")
    entry = "sums:n=3,step=2,model=python/my_tasks_for_tests.adder"
    done = subprocess.run(
        [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "-m", "all", "--plugins", "my_tasks_for_tests.py"],
        cwd=own_folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(own_folder)},
    )
    assert done.returncode == 0, done.stderr
    assert "deviation ↓" in done.stdout, done.stdout
    (name,) = [found.name for found in results.runs]
    assert run_files(name)["run_spec.json"] == run_files(name, "api")["run_spec.json"]
    assert run_files(name)["stats.json"][-1] == run_files(name, "api")["stats.json"][-1]


def test_a_decorated_function_stays_a_function(tasks):
    assert [row["input"] for row in tasks.sums(2)] == ["0+0=", "1+1="]
    assert tasks.off_by("3", "4") == 1.0
    assert tasks.adder("1+1=") == "3"


def test_functions_that_nobody_can_import_work_here_and_say_so_elsewhere(capsys):
    @helm.metric
    def is_short(output):
        return len(output) < 3

    @helm.scenario(metrics=[is_short])
    def local_sums(n: int = 2):
        return [{"input": f"{i}+{i}="} for i in range(n)]

    results = helm.evaluate(["local_sums:n=3", local_sums], lambda prompt: "4", progress="none")
    assert list(results.scores()["metric"]) == ["is_short", "is_short"]
    assert [len(list(found.iterate_request_states())) for found in results.runs] == [3, 2]
    model = results.runs[0].run_spec.adapter_spec.model
    for entry, what in (
        (f"local_sums:model={model}", "model function 'lambda_'"),
        ("local_sums:model=simple/model1", "scenario function 'local_sums'"),
    ):
        with pytest.raises(SystemExit):
            run.main(["-r", entry, "-m", "2", "--suite", "elsewhere"])
        captured = capsys.readouterr()
        assert (
            f"The {what} was defined in a notebook, a script or inside another function" in captured.err + captured.out
        )
        assert "Put it at the top level of a module" in captured.err + captured.out


def test_a_cluster_refuses_functions_that_its_workers_cannot_import():
    with pytest.raises(
        helm.ConfigError, match="engine='ray' executes runs in other processes, and the function 'lambda_'"
    ):
        helm.evaluate([{"input": "a"}], lambda prompt: "a", engine="ray")


def test_a_cell_may_be_run_again_but_nothing_else_is_replaced():
    for answer in ("one", "two"):

        @helm.scenario(name="cell")
        def cell(answer: str = answer):
            return [{"input": "x", "target": answer}]

    results = helm.evaluate("cell", lambda prompt: "two", progress="none")
    assert results.scores()["score"][0] == 1.0
    for name in ("gsm", "simple_mcqa"):
        with pytest.raises(helm.ConfigError, match=f"There is already a run spec '{name}'"):
            helm.scenario(name=name)(lambda: [])


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: helm.metric(lambda output, taget: 1), "parameter 'taget'.*Did you mean 'target'"),
        (lambda: helm.model(takes="chat")(str.upper), "takes is text or messages, not 'chat'"),
        (lambda: helm.model(batch_size=0)(str.upper), "batch_size is a whole number, 1 or more, not 0"),
    ],
)
def test_wrong_decorators_are_refused(make, message):
    with pytest.raises(helm.HelmError, match=message):
        make()


def test_a_metric_may_give_several_scores_or_none():
    @helm.metric
    def parts(output, target, extra, input):
        return {"length": len(output), "is_right": output == target, "skipped": None, "level": extra["level"]}

    rows = [{"input": "a", "target": "A", "level": 1.5}, {"input": "b", "target": "x", "level": 2.5}]
    stats = helm.evaluate(rows, lambda prompt: prompt.upper(), metrics=[parts], progress="none").stats()
    means = dict(zip(stats["metric"], stats["value"], strict=True))
    assert (means["length"], means["is_right"], means["level"]) == (1.0, 0.5, 2.0) and "skipped" not in means


def test_a_metric_that_fails_names_the_instance():
    def wrong(output):
        return "much"

    with pytest.raises(helm.EvaluationError, match="failed on instance id0: 'wrong' is a value of type str"):
        helm.evaluate([{"input": "a"}], lambda prompt: "a", metrics=[wrong], progress="none")


def test_the_direction_of_a_metric_counts_in_comparisons_of_any_process():
    metric = helm.metric(name="off", lower_is_better=True)(lambda output: float(output))
    rows = [{"input": f"{i}"} for i in range(20)]
    low, high = (helm.evaluate({"x": rows}, lambda prompt, v=v: v, metrics=[metric], progress="none") for v in "12")
    for first, second in ((low, high), [helm.Results.load(found.runs[0].path) for found in (low, high)]):
        (row,) = first.compare(second).differences().to_dict("records")
        assert (row["metric"], row["difference"], row["verdict"]) == ("off", -1.0, "first")
        assert "off ↓" in repr(first)


def test_a_metric_is_checked_before_anything_is_asked():
    async def later(output):
        return 1

    asked = []
    with pytest.raises(helm.HelmError, match="'later' is asynchronous"):
        helm.evaluate([{"input": "a"}], lambda prompt: asked.append(prompt) or "b", metrics=[later], progress="none")
    assert not asked


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), 10**400])
def test_an_infinite_score_is_an_error(value):
    with pytest.raises(helm.EvaluationError, match="'endless' is infinite: expected a finite number"):
        helm.evaluate(
            [{"input": "a"}], str.upper, metrics=[helm.metric(name="endless")(lambda output: value)], progress="none"
        )


def test_a_score_that_is_not_a_number_is_a_missing_one():
    rows = [{"input": "a", "target": "A"}, {"input": "b", "target": "B"}]
    results = helm.evaluate(rows, str.upper, metrics=[partly], progress="none")
    assert list(results.scores()["metric"]) == ["partly"] and list(results.scores()["score"]) == [1.0]
    assert sorted(results.instances()["score"].dropna()) == [1.0]


def partly(output):
    return 1.0 if output == "A" else float("nan")
