"""BigCodeBench: the tests of a task travel with it when they are to be run here."""

import json

import pytest

from data_server import data_server, parquet_bytes
from helm.benchmark.run import main
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.scenario import create_scenario

TASK = {
    "task_id": "BigCodeBench/0",
    "instruct_prompt": "Double a number.",
    "code_prompt": "def task_func(x):",
    "test": "import unittest\nclass TestCases(unittest.TestCase):\n"
    "    def test_a(self):\n        self.assertEqual(task_func(4), 8)\n",
    "libs": "['math']",
}


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with data_server() as server:
        files = {"data/v0.1.3-00000-of-00001.parquet": parquet_bytes([TASK])}
        server.add_dataset("bigcode/bigcodebench", files, "057dd1a30dd73d4ed59cfbaaae049870491fa4d6")
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.mark.parametrize("tests", ["service", "sandbox"])
def test_only_the_sandbox_needs_the_tests(server, tmp_path, tests):
    spec = get_run_spec_function("bigcodebench")(version="v0.1.3", tests=tests)
    (instance,) = create_scenario(spec.scenario_spec).get_instances(str(tmp_path))
    wanted = {key: TASK[key] for key in ("test", "code_prompt", "libs")} if tests == "sandbox" else None
    assert (instance.id, instance.extra_data) == ("BigCodeBench/0", wanted)
    assert spec.name == "bigcodebench:version=v0.1.3" + (",tests=sandbox" if tests == "sandbox" else "")


@pytest.mark.sandbox
def test_answers_are_tested_here(server, tmp_path):
    entry = "bigcodebench:version=v0.1.3,tests=sandbox,model=baseline/ppm"
    main(["-r", entry, "-m", "5", "--suite", "s"])
    (folder,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("bigcodebench*")
    (state,) = json.loads((folder / "scenario_state.json").read_text())["request_states"]
    assert state["annotations"]["bigcodebench"]["pass_at_one"] is False


def test_without_service_the_error_says_what_to_do(server, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["-r", "bigcodebench:version=v0.1.3,model=baseline/ppm", "-m", "5", "--suite", "s"])
    (file,) = (tmp_path / "benchmark_output" / "runs" / "s").glob("bigcodebench*/error.json")
    message = json.loads(file.read_text())["message"]
    assert "tests=sandbox" in message or "sandbox" in message
