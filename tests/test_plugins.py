"""A package outside the project brings a scenario, a metric and a run spec: by path, by module name, by entry point."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "unit_conversion_plugin"
RUN = "benchmark_output/runs/default/unit_conversion:step=5,model=baseline_ppm"


def helm_run(folder: Path, *arguments: str, python_path: Path | None = None) -> subprocess.CompletedProcess:
    environment = dict(os.environ)
    if python_path:
        environment["PYTHONPATH"] = os.pathsep.join([str(python_path), environment.get("PYTHONPATH", "")])
    command = [
        sys.executable,
        "-m",
        "helm.benchmark.run",
        "-r",
        "unit_conversion:model=baseline/ppm",
        "-m",
        "7",
        *arguments,
    ]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def check_run(folder: Path) -> None:
    stats = json.loads((folder / RUN / "stats.json").read_text())
    found = {stat["name"]["name"]: stat for stat in stats if "perturbation" not in stat["name"]}
    assert found["number_found"]["count"] == 1 and found["num_instances"]["mean"] == 7.0
    scenario = json.loads((folder / RUN / "scenario.json").read_text())
    assert scenario["name"] == "unit_conversion" and str(EXAMPLE.parent) not in scenario["definition_path"]


def test_by_file_path(tmp_path):
    result = helm_run(tmp_path, "--plugins", str(EXAMPLE / "unit_conversion_plugin.py"))
    assert result.returncode == 0, result.stderr
    check_run(tmp_path)


def test_by_module_name(tmp_path):
    result = helm_run(tmp_path, "--plugins", "unit_conversion_plugin", python_path=EXAMPLE)
    assert result.returncode == 0, result.stderr
    check_run(tmp_path)


def test_by_entry_point(tmp_path):
    """As installed: the module and its metadata lie in a folder of the module path."""
    site = tmp_path / "site"
    metadata = site / "unit_conversion_plugin-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (site / "unit_conversion_plugin.py").write_text((EXAMPLE / "unit_conversion_plugin.py").read_text())
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: unit-conversion-plugin\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[helm]\nunit_conversion = unit_conversion_plugin\n")
    result = helm_run(tmp_path, python_path=site)
    assert result.returncode == 0, result.stderr
    check_run(tmp_path)


def test_an_entry_point_that_fails_is_warned_of_and_the_rest_goes_on(tmp_path):
    metadata = tmp_path / "site" / "broken_plugin-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-plugin\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[helm]\nbroken = no_such_module_anywhere\n")
    path = str(EXAMPLE / "unit_conversion_plugin.py")
    result = helm_run(tmp_path, "--plugins", path, python_path=tmp_path / "site")
    assert result.returncode == 0, result.stderr
    assert "Failed to load plugin entry point: broken" in result.stderr


def test_by_namespace_package(tmp_path):
    """A module under `helm/benchmark/run_specs` in another folder of the module path is discovered."""
    package = tmp_path / "extra" / "helm" / "benchmark" / "run_specs"
    package.mkdir(parents=True)
    text = (EXAMPLE / "unit_conversion_plugin.py").read_text()
    (package / "unit_conversion_run_specs.py").write_text(text)
    result = helm_run(tmp_path, python_path=tmp_path / "extra")
    assert result.returncode == 0, result.stderr
    check_run(tmp_path)


def test_by_the_name_of_its_module(tmp_path):
    """As HELM's user documentation has it: an installed module `helm_..._run_specs` needs no flag."""
    site = tmp_path / "site"
    site.mkdir()
    text = (EXAMPLE / "unit_conversion_plugin.py").read_text()
    (site / "helm_conversion_run_specs.py").write_text(text)
    result = helm_run(tmp_path, python_path=site)
    assert result.returncode == 0, result.stderr
    check_run(tmp_path)


@pytest.mark.parametrize("plugin", ["no_such_module", "./no_such_file.py"])
def test_a_missing_plugin_is_named(tmp_path, plugin):
    result = helm_run(tmp_path, "--plugins", plugin)
    assert result.returncode == 1 and plugin.removeprefix("./").removesuffix(".py") in result.stderr


def test_tables_of_a_plugins_runs(tmp_path):
    """The scenario says how it is shown; helm-summarize imports it as helm-run does."""
    path = str(EXAMPLE / "unit_conversion_plugin.py")
    assert helm_run(tmp_path, "--plugins", path).returncode == 0
    command = [sys.executable, "-m", "helm.benchmark.presentation.summarize", "--auto-generate-schema"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "Runs in no group of the schema (1)" in result.stdout and "--plugins" in result.stdout
    result = subprocess.run([*command, "--plugins", path], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and "All Scenarios: Main Metric" in result.stdout, result.stdout
