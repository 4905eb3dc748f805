"""Result files from elsewhere may name any callable as a class: reading them creates no such object."""

import json
from pathlib import Path

import pytest

from compare_support import make_run, zeros_and_ones
from helm.benchmark.commands import compare, export
from helm.benchmark.presentation import summarize
from helm.benchmark.specs import ScenarioSpec
from helm.results.main_metric import find_declared_metric
from helm.results.metric_choice import MetricCatalogue
from helm.results.run_results import load_run

SUITE = Path("benchmark_output/runs/s")


@pytest.fixture(autouse=True)
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs whose scenario and metrics are `os.mkdir`, which leaves a trace if it is called."""
    monkeypatch.chdir(tmp_path)
    for model in ("a/one", "b/two"):
        make_run(SUITE, zeros_and_ones(9, 20), model, "no_known_task", groups=("no_known_group",))
    trace = tmp_path / "called"
    for file in SUITE.glob("*/run_spec.json"):
        content = json.loads(file.read_text())
        content["scenario_spec"] = {"class_name": "os.mkdir", "args": {"path": f"{trace}_scenario"}}
        content["metric_specs"] = [{"class_name": "os.mkdir", "args": {"path": f"{trace}_metric"}}]
        file.write_text(json.dumps(content))
    for file in SUITE.glob("*/scenario.json"):
        file.unlink()
    return tmp_path


def run(main, *arguments: str) -> None:
    try:
        main(list(arguments))
    except SystemExit:
        pass


@pytest.mark.parametrize("command", ["summarize", "compare", "export"])
def test_no_command_that_reads_results_calls_what_they_name(suite: Path, command: str) -> None:
    if command == "summarize":
        Path("schema.yaml").write_text("metrics: []\nrun_groups: []\n")
        run(summarize.main, "--suite", "s")
        run(summarize.main, "--suite", "s", "--schema-path", "schema.yaml")
        assert Path("benchmark_output/runs/s/groups.json").exists()
    elif command == "compare":
        run(compare.main, "--suite", "s", "--models", "a/one", "b/two", "--metric", "exact_match")
    else:
        run(export.main, "--suite", "s")
    assert not list(suite.glob("called*"))


def test_a_declared_metric_is_asked_of_scenarios_only(suite: Path) -> None:
    named = ScenarioSpec("os.mkdir", {"path": str(suite / "called")})
    assert find_declared_metric(named) is None
    (file, _) = sorted(SUITE.glob("*/run_spec.json"))
    assert MetricCatalogue().find_direction("some_metric", load_run(str(file.parent))) is None
    assert not list(suite.glob("called*"))
