"""A HELM user's project runs unchanged: scenario, metric, annotator, perturbation, client, tokenizer, expander, conf, schema."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).with_name("helm_sample")
TIMES = ("request_time", "request_datetime", "definition_path")
RUNS = {
    "capitals:num_train=2,model=sample_atlas": 4,
    "capitals:num_train=1,model=sample_atlas,length=3": 5,
    "capitals:num_train=1,model=sample_atlas,length=8": 5,
}
"""The runs of the project, with their numbers of questions."""


def run_project(folder, python=sys.executable):
    """Run and summarize a copy of the project as its owner does, and return the folder of the suite."""
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    for module, arguments in (
        ("run", ["-c", "entries.conf", "-m", "10", "--disable-cache"]),
        ("presentation.summarize", ["--schema-path", "schema.yaml"]),
    ):
        arguments = [module, *arguments, "--suite", "s", "--local-path", "prod_env"]
        code = f"import sys, helm_sample; from helm.benchmark.{module} import main; sys.argv = {arguments!r}; main()"
        done = subprocess.run(
            [python, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr + done.stdout
    return folder / "benchmark_output" / "runs" / "s"


def mean(path, metric, perturbation=None):
    for stat in json.loads((path / "stats.json").read_text()):
        found = stat["name"].get("perturbation")
        if stat["name"]["name"] == metric and (found or {}).get("name") == perturbation:
            return stat["mean"]
    return None


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    return run_project(tmp_path_factory.mktemp("sample") / "project")


@pytest.mark.parametrize(("name", "questions"), RUNS.items())
def test_every_part_of_the_project_takes_part(suite, name, questions):
    path = suite / name
    states = json.loads((path / "scenario_state.json").read_text())["request_states"]
    assert len(states) == 2 * questions  # each question, and its capitals
    shouted = [state for state in states if "perturbation" in state["instance"]]
    assert all(state["instance"]["input"]["text"].isupper() for state in shouted)
    assert all(state["annotations"]["letters"]["count"] > 3 for state in states)
    assert (mean(path, "exact_match"), mean(path, "exact_match", "shouting")) == (1.0, 0.0)
    assert mean(path, "answer_words") == 1.0
    assert mean(path, "annotated_letters") > 3
    if "length" in name:
        assert {state["request"]["max_tokens"] for state in states} == {int(name[-1])}


def test_the_project_has_its_tables(suite):
    tables = json.loads((suite / "groups" / "capitals.json").read_text())
    (table, *_) = tables
    assert [cell["value"] for cell in table["header"]][:2] == ["Model", "EM"]
    assert table["rows"][0][0]["value"] == "Atlas" and table["rows"][0][1]["value"] == 1.0


def test_a_suite_of_the_original_is_summarized_again(suite, tmp_path):
    """HELM's five files of each run are all that is needed."""
    bare = tmp_path / "benchmark_output" / "runs" / "s"
    for name in RUNS:
        (bare / name).mkdir(parents=True)
        for file_name in ("run_spec", "scenario", "scenario_state", "stats", "per_instance_stats"):
            shutil.copy(suite / name / f"{file_name}.json", bare / name)
    command = [sys.executable, "-m", "helm.benchmark.presentation.summarize", "--suite", "s", "--schema-path"]
    done = subprocess.run(
        [*command, str(SAMPLE / "schema.yaml"), "--local-path", str(SAMPLE / "prod_env")],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (bare / "groups/capitals.json").read_text() == (suite / "groups/capitals.json").read_text()


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [without_times(item) for item in value if "runtime" not in json.dumps(item)[:60]]
    return value


@pytest.mark.peer
def test_both_programs_make_the_same_of_it(suite, tmp_path):
    original = run_project(tmp_path / "project", os.environ["PEER_PYTHON"])
    for name in RUNS:
        for path in sorted((original / name).glob("*.json")):
            theirs, ours = (json.loads((root / name / path.name).read_text()) for root in (original, suite))
            assert without_times(ours) == without_times(theirs), f"{name}/{path.name}"
    for path in ("groups/capitals.json", "groups.json", "groups_metadata.json", "runs_to_run_suites.json"):
        theirs, ours = (json.loads((root / path).read_text()) for root in (original, suite))
        assert ours == theirs, path
