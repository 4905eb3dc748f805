"""CLEVA: the recipe and the instances of made-up tasks are those of the original, the archive served over HTTP."""

import json
from pathlib import Path

import pytest

from data_server import zip_bytes
from helm.benchmark.declarative.recipe import placeholders_for_fetched_texts
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios import cleva_scenario
from helm.benchmark.scenarios.scenario import create_scenario
from helm.common.data.cleva_prompts import ClevaError, fill, prompt_of, read_tasks, verbalized
from helm.common.files import load_yaml
from scenario_support import case_environment, compact_run_spec, load_instances, references_of

CASES = load_yaml(Path(__file__).parent / "cleva_cases.yaml")


def lines(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def archive(case):
    """The archive of a task: one folder, in it the files, for a subtask in a folder of its own."""
    folder = case["task"] + (f"/{case['subtask']}" if case.get("subtask") else "")
    files = {
        "prompts.json": json.dumps(case["prompts"]),
        "infer_params.json": json.dumps(case["infer_params"]),
        "train.jsonl": lines(case["train"]),
        "test.jsonl": lines(case["test"]),
    }
    return zip_bytes({f"{folder}/{name}": text.encode() for name, text in files.items()})


def arguments(case):
    subtask = {"subtask": case["subtask"]} if case.get("subtask") else {}
    return {"task": case["task"], "version": "v1", "prompt_id": case["prompt_id"], **subtask}


def run_case(case, tmp_path, monkeypatch):
    with case_environment({"scenario_name": "cleva"}, tmp_path, monkeypatch) as environment:
        environment.server.add_file(f"http://39.108.215.175/data/v1/{case['task']}.zip", archive(case))
        run_spec = get_run_spec_function("cleva")(**arguments(case))
        scenario, instances = load_instances(run_spec, environment)
        return run_spec, scenario, instances


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_recipe_and_instances_of_a_task(case, tmp_path, monkeypatch):
    expected = case["expected"]
    run_spec, scenario, instances = run_case(case, tmp_path, monkeypatch)
    got = compact_run_spec(run_spec)
    assert (got["name"], got["groups"]) == (expected["name"], expected["groups"])
    assert got["scenario_spec"] == {"class_name": expected["class_name"], "args": expected["scenario_args"]}
    assert got["adapter_spec"] == expected["adapter_spec"]
    metrics = [
        [spec["class_name"].removeprefix("helm.benchmark.metrics."), spec["args"]] for spec in got["metric_specs"]
    ]
    assert metrics == expected["metrics"]
    rows = [[instance.split, instance.input.text, references_of(instance.references)] for instance in instances]
    assert rows == expected["instances"]
    assert (scenario.name, scenario.tags) == ("cleva", expected["tags"])
    if expected["metadata"] is None:
        with pytest.raises(NotImplementedError):
            scenario.get_metadata()
        return
    metadata = scenario.get_metadata()
    taxonomy = expected["metadata"].pop("taxonomy")
    assert {name: getattr(metadata, name) for name in expected["metadata"]} == expected["metadata"]
    assert {name: getattr(metadata.taxonomy, name) for name in taxonomy} == taxonomy


def test_every_task_has_a_class():
    for task in read_tasks():
        made = getattr(cleva_scenario, cleva_scenario.class_name(task))
        assert made is getattr(cleva_scenario, cleva_scenario.class_name(task))
        assert issubclass(made, cleva_scenario.CLEVAScenario) and made.task == task
    with pytest.raises(AttributeError, match="CLEVANothingScenario"):
        cleva_scenario.CLEVANothingScenario  # noqa: B018


def test_a_program_brings_its_tests(tmp_path, monkeypatch):
    case = next(case for case in CASES if case["task"] == "code_synthesis")
    (instance,) = run_case(case, tmp_path, monkeypatch)[2]
    assert instance.references[0].test_cases == case["test"][0]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"prompt_id": 7}, "has 1 prompts"),
        ({"prompts": {}}, "a list is expected"),
        ({"test": [{"sentence": "s", "label": [5], "choices": ["x"]}]}, "row 1: the label 5 is not the position"),
        ({"test": [{"sentence": "s", "label": [0], "choices": [None]}]}, "None is not a text"),
        ({"test": [{"sentence": "s"}]}, "there is no column 'label'"),
        ({"test": [3]}, "line 1: expected a mapping"),
        ({"prompts": [{"input": "{other}", "meta": {"mul_as_gen": True}}]}, "'{other}' cannot be filled in"),
        ({"prompts": [{"input": "x", "other": "y", "meta": {"mul_as_gen": True}}]}, "an entry 'other'"),
    ],
)
def test_data_in_another_format_is_an_error_that_names_it(change, message, tmp_path, monkeypatch):
    row = {"sentence": "s", "label": [0], "choices": ["x"]}
    case = {
        "task": "sentiment_analysis",
        "prompt_id": 0,
        "prompts": [{"input": "{sentence}", "meta": {"mul_as_gen": True}}],
        "infer_params": {},
        "train": [],
        "test": [row],
        **change,
    }
    with pytest.raises(ClevaError, match=message.replace("{", r"\{")):
        run_case(case, tmp_path, monkeypatch)


@pytest.mark.parametrize("template", ["{x.__class__}", "{x!r:>99999999}", "{x:>99999999}", "{0}", "{x[y]}", "{"])
def test_templates_reach_nothing_but_values(template):
    with pytest.raises(ClevaError):
        fill(template, {"x": "v"})


def test_words_for_values():
    template = {"verbalizer": {"label": {"a": "甲"}, "role": {"usr": "用户"}}}
    row = {"label": ["a", 3], "history": [{"role": "usr", "utterance": "a"}], "other": "a"}
    assert verbalized(row, template) == {
        "label": ["甲", 3],
        "history": [{"role": "用户", "utterance": "a"}],
        "other": "a",
    }
    with pytest.raises(ClevaError, match="no word for 'b'"):
        verbalized({"label": ["b"]}, template)
    with pytest.raises(ClevaError, match="item_index"):
        prompt_of({"a": ["x"]}, {"input": "{a}", "a": {"item_separator": "", "item_template": "", "item_index": "IV"}})


def test_a_listing_fetches_nothing():
    with placeholders_for_fetched_texts():
        run_spec = get_run_spec_function("cleva")(task="translation", version="v1", subtask="en2zh")
    assert "CLEVA" in run_spec.adapter_spec.instructions
    assert create_scenario(run_spec.scenario_spec).tags == ["translation"]


def test_an_unknown_task_is_said_before_anything_is_fetched():
    with pytest.raises(ClevaError, match="Did you mean 'translation'"):
        get_run_spec_function("cleva")(task="tranlation", version="v1")
