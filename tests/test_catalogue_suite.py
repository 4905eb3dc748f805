"""A suite of twenty scenarios of the catalogue, their data served on this machine, from run entries to Lite's tables."""

import json
from pathlib import Path

import pytest

from data_server import add_case, data_server, prepare_folders
from helm.benchmark import run
from helm.benchmark.presentation import summarize
from scenario_support import FIXTURE_FILES

LITE = ["narrative_qa", "natural_qa", "openbookqa", "mmlu", "math", "gsm", "legalbench", "med_qa", "wmt_14"]
OTHERS = ["bbq", "truthful_qa", "boolq", "imdb", "babi_qa", "msmarco_regular", "entity_matching", "gpqa", "mmlu_pro", "ifeval",
          "bird_sql"]  # fmt: skip
MODELS = ["baseline/majority", "baseline/ppm"]

VECTORS = Path(__file__).parent / "vectors"  # these cases, whatever others HELM_TEST_VECTORS names
CASES = {
    case["id"]: case for file in FIXTURE_FILES for case in json.loads((VECTORS / file).read_text("utf-8"))["cases"]
}
CHOSEN = [CASES[name] for name in LITE + OTHERS]


def entry_of(case, model, **changed):
    arguments = {**case["args"], **changed, "model": model}
    return f"{case['run_spec_function']}:" + ",".join(f"{name}={value}" for name, value in arguments.items())


def run_command(main, arguments):
    """The exit status of a command."""
    try:
        return main(arguments) or 0
    except SystemExit as e:
        return e.code or 0


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The output folder after `helm-run` and `helm-summarize`, and what was asked of the server meanwhile."""
    folder = tmp_path_factory.mktemp("suite")
    output = folder / "benchmark_output"
    with pytest.MonkeyPatch.context() as patch, data_server() as server:
        for case in CHOSEN:
            add_case(server, case)
            prepare_folders(case, folder, output / "scenarios" / case["scenario_name"])
        for name in ("HELM_OFFLINE", "HF_HUB_OFFLINE", "HF_TOKEN"):
            patch.delenv(name, raising=False)
        for name, value in {**server.environment(), "XDG_CACHE_HOME": str(folder / "cache")}.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        entries = [entry_of(case, model) for case in CHOSEN for model in MODELS]
        entries += [entry_of(CASES["natural_qa"], model, mode="openbook_longans") for model in MODELS]
        assert run_command(run.main, ["-r", *entries, "--suite", "twenty", "-m", "10", "-o", str(output)]) == 0
        asked = server.paths()
        arguments = ["--suite", "twenty", "--schema-path", "schema_lite.yaml", "-o", str(output)]
        assert run_command(summarize.main, arguments) == 0
    return output / "runs" / "twenty", asked


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_scenario_is_run_with_both_models(suite):
    folder, _ = suite
    runs = {(row["run_spec"]["name"].split(":")[0].split(",")[0], row["run_spec"]["adapter_spec"]["model"])
            for row in read(folder / "runs.json")}  # fmt: skip
    assert len(CHOSEN) == 20
    assert runs == {(case["run_spec"]["name"].split(":")[0], model) for case in CHOSEN for model in MODELS}


def test_runs_have_the_instances_of_the_vectors(suite):
    folder, _ = suite
    for case in CHOSEN:
        names = [case["run_spec"]["name"] + separator for separator in (",", ":")]
        states = [
            read(path / "scenario_state.json")
            for path in folder.iterdir()
            if any(path.name.startswith(f"{name}model=") for name in names)
        ]
        assert len(states) == len(MODELS), case["id"]
        expected = {instance["input"] for instance in case["instances"] if "input" in instance}
        for state in states:
            assert state["request_states"], case["id"]
            assert {request["instance"]["input"]["text"] for request in state["request_states"]} <= expected
            assert all(request["result"]["success"] for request in state["request_states"])


def test_the_tables_are_those_of_lite(suite):
    folder, _ = suite
    accuracy = next(table for table in read(folder / "groups" / "core_scenarios.json") if table["title"] == "Accuracy")
    headers = [cell["value"] for cell in accuracy["header"]]
    assert headers[0].startswith("Model") and len(headers) == 12  # the model, the mean win rate, ten scenarios
    assert sorted(row[0]["value"] for row in accuracy["rows"]) == ["Majority choice", "PPM (bytes)"]
    for row in accuracy["rows"]:
        for header, cell in zip(headers[1:], row[1:], strict=True):
            assert cell.get("value") is not None, f"{row[0]['value']}: {header}"
            assert 0 <= cell["value"] <= 1


def test_runs_outside_the_schema_are_there_too(suite):
    folder, _ = suite
    for case in CHOSEN:
        for group in case["run_spec"]["groups"]:
            stats = [
                read(path / "stats.json")
                for path in folder.iterdir()
                if (path / "run_spec.json").is_file() and group in read(path / "run_spec.json")["groups"]
            ]
            assert len(stats) >= len(MODELS)
            for names in stats:
                assert {"num_instances", "num_completions"} & {stat["name"]["name"] for stat in names}, group


def test_data_is_fetched_once_for_all_models(suite):
    _, asked = suite
    data = [path for path in asked if path.endswith((".jsonl", ".csv", ".tsv", ".gz", ".zip", ".parquet"))]
    assert len(data) > 30
    twice = {path.rsplit("/", 1)[1] for path in data if data.count(path) > 1}
    assert twice <= {"helm_prompt_settings.jsonl"}  # the recipe of LegalBench and its scenario each keep their own
