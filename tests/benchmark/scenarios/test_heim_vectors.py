"""RunSpecs, instances and requests of HELM's text-to-image scenarios (HEIM), on made-up data sets and HELM's lists of prompts."""

import base64
import dataclasses
import hashlib
import json
import pickle

import pytest

import data_server
from data_server import prepare_folders
from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.declarative import catalogue
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.run_spec_factory import construct_run_specs
from helm.benchmark.scenarios.image_generation.cub200_scenario import texts_of_pickle
from helm.benchmark.scenarios.scenario import create_scenario
from helm.benchmark.specs import DataAugmenterSpec, ScenarioSpec
from helm.common.errors import HelmError
from helm.common.object_spec import parse_object_spec
from scenario_support import case_environment, check_scenario, load_instances, make_run_spec
from vectors_support import load_vectors, vector_cases

RUN_SPECS = vector_cases("helm-heim/run_specs.json")
FIXTURES = vector_cases("helm-heim/fixtures_heim.json")
PROMPT_FIXTURES = vector_cases("helm-heim/fixtures_heim_prompts.json")
LISTS = load_vectors("helm-heim/data/prompt_lists.json")
COMMIT = f"https://raw.githubusercontent.com/stanford-crfm/helm/{LISTS['commit']}"


def compact(run_spec):
    """A RunSpec as the vectors write it."""
    defaults = dataclasses.asdict(AdapterSpec())
    full = dataclasses.asdict(run_spec)
    result = {name: full[name] for name in ("name", "scenario_spec", "metric_specs", "groups")}
    result["adapter_spec"] = {key: v for key, v in full["adapter_spec"].items() if v != defaults[key]}
    if run_spec.data_augmenter_spec != DataAugmenterSpec():
        result["data_augmenter_spec"] = full["data_augmenter_spec"]
        assert result["data_augmenter_spec"].pop("should_perturb_references") is None
    return json.loads(json.dumps(result))


@pytest.mark.parametrize(
    "case", [case for case in RUN_SPECS if case["kind"] == "run_spec"], ids=lambda case: case["run_spec"]["name"]
)
def test_run_specs_are_as_in_helm(case):
    function = get_run_spec_function(case["run_spec_function"])
    assert compact(function(**case["args"])) == case["run_spec"]


@pytest.mark.parametrize(
    "case", [case for case in RUN_SPECS if case["kind"] == "run_entry"], ids=lambda case: case["entry"]
)
def test_run_entries_give_the_run_specs_of_helm(case, built_in_catalogue):
    entry = case["entry"]
    if (
        "=False" in entry
    ):  # HELM takes every text for true; here False is false, which HELM's run without the argument is
        assert construct_run_specs(parse_object_spec(entry)) == construct_run_specs(
            parse_object_spec(entry.replace(",compute_fid=False", ""))
        )
        entry = entry.replace("=False", "=True")
    assert [compact(run_spec) for run_spec in construct_run_specs(parse_object_spec(entry))] == case["run_specs"]


@pytest.mark.parametrize("case", [case for case in RUN_SPECS if case["kind"] == "run_entry_names"])
def test_the_group_of_models_that_make_images_has_those_of_helm(case, built_in_catalogue):
    run_specs = construct_run_specs(parse_object_spec(case["entry"]))
    names = [run_spec.name for run_spec in run_specs]
    assert [name for name in names if name in case["names"]] == case["names"]
    deployments = [run_spec.adapter_spec.model_deployment for run_spec in run_specs]
    assert [name for name in deployments if name in case["model_deployments"]] == case["model_deployments"]


_content_bytes = data_server.content_bytes


def content_bytes(content):
    if isinstance(content, dict) and content["encoding"] == "base64":
        return base64.b64decode(content["data"])
    if isinstance(content, dict) and content["encoding"] == "pickle" and "cycle" in content:
        cycle = content["cycle"]
        return pickle.dumps([cycle[i % len(cycle)] for i in range(content["length"])], protocol=2)
    return _content_bytes(content)


def repository_files(entries):
    """Parquet files as on the Hub; a picture has its name beside its content."""
    files = {"README.md": b"# Data\n"}
    for entry in entries:
        for split, rows in entry["splits"].items():
            rows = [
                {
                    key: {"bytes": PNG, "path": value} if key.startswith("image_") else value
                    for key, value in row.items()
                }
                for row in rows
            ]
            files[f"data/{split}-00000-of-00001.parquet"] = data_server.parquet_bytes(rows)
    return files


PNG = next(content_bytes(v) for c in FIXTURES for name, v in c.get("files", {}).items() if name.endswith(".png"))


def with_splits(case):
    """The rows of `hf` as `data_server` expects them."""
    if isinstance(case.get("hf"), list) and "splits" not in case["hf"][0]:
        (call,) = case["hf_calls"]
        case = {**case, "hf": [{**call, "splits": {call["split"]: case["hf"]}}]}
    return case


def media_of(reference, folder):
    content = reference.output.multimedia_content
    return content and [[m.content_type, m.location.replace(folder, "")] for m in content.media_objects]


def compact_instance(instance, folder):
    references = []
    for reference in instance.references:
        media = media_of(reference, folder)
        references.append(
            {"text": reference.output.text, "tags": reference.tags, **({"media": media} if media else {})}
        )
    sub_split = {"sub_split": instance.sub_split} if instance.sub_split else {}
    return {"input": instance.input.text, "split": instance.split, "references": references, **sub_split}


def check_instances(case, instances, folder):
    first = [compact_instance(instance, folder) for instance in instances[: len(case["instances"])]]
    assert first == case["instances"]
    assert len(instances) == case["num_instances"]
    rows = [
        [i.split, i.input.text, [[r.output.text, r.tags, media_of(r, folder)] for r in i.references]] for i in instances
    ]
    text = "\n".join(json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in rows)
    assert hashlib.sha256(text.encode()).hexdigest() == case["instances_sha256"]


def check_requests(case, run_spec, instances):
    """The requests of the first instances that are evaluated, for a model with much room."""
    from helm.benchmark.adaptation.adapters.adapter_factory import AdapterFactory
    from helm.benchmark.scenarios.scenario import EVAL_SPLITS, with_instance_ids
    from helm.benchmark.window_services.tokenizer_service import TokenizerService
    from helm.common.local_context import LocalContext

    spec = dataclasses.replace(run_spec.adapter_spec, model="simple/model1", model_deployment="simple/model1")
    asked = [instance for instance in with_instance_ids(instances) if instance.split in EVAL_SPLITS]
    adapter = AdapterFactory.get_adapter(spec, TokenizerService(LocalContext("prod_env")))
    states = adapter.adapt(asked[: len(case["requests"])], 1)
    got = [{"instance_id": state.instance.id, **dataclasses.asdict(state.request)} for state in states]
    assert [{key: one[key] for key in case["requests"][0]} for one in got] == case["requests"]


@pytest.mark.parametrize("case", FIXTURES, ids=lambda case: case["id"])
def test_instances_are_as_in_helm(case, tmp_path, monkeypatch, built_in_catalogue):
    monkeypatch.setattr("data_server.content_bytes", content_bytes)
    monkeypatch.setattr("data_server.repository_files", repository_files)
    case = with_splits(case)
    with case_environment(case, tmp_path, monkeypatch) as environment:
        run_spec = make_run_spec(case)
        assert run_spec.scenario_spec.args == case["scenario_args"]
        scenario, instances = load_instances(run_spec, environment)
        check_scenario(case, scenario)
        folder = environment.cache_folder(case["scenario_name"])
        if case["run_spec_function"] == "mscoco":  # photographs that are never asked for are not fetched
            assert not any("train2014" in path for path in environment.server.paths())
            assert not any(instance.references for instance in instances if instance.split == "train")
            prepare_folders({**case, "downloads": []}, tmp_path, folder)
            _, instances = load_instances(run_spec, environment)
        check_instances(case, instances, f"{folder}/")
        if case["requests"]:
            check_requests(case, run_spec, instances)


def python_file(path):
    """A source file like HELM's, with its lists."""
    texts = ["raise SystemExit('this file was run')", "PASSIVES = 'passives'"]
    for name, rows in LISTS["lists"].items():
        if rows["source_path"] == path:
            constant = name.rpartition(".")[2]
            items = dict(rows["items"]) if isinstance(rows["items"][0], list) else rows["items"]
            text = repr(items).replace("'passives'", "PASSIVES")
            for file in catalogue.entries():
                for source in file.data.get("source", {}).get("files", []):
                    if source.get("constant", "").rpartition(".")[2] == constant:
                        scope = source["constant"].rpartition(".")[0]
                        texts.append(f"class {scope or 'Any'}:\n    {constant} = {text}")
    return "\n".join(texts) + "\n"


@pytest.mark.parametrize("case", PROMPT_FIXTURES, ids=lambda case: case["id"])
def test_prompts_are_those_of_helm(case, tmp_path, monkeypatch, built_in_catalogue):
    (file,) = [file for file in catalogue.entries() if file.name == case["run_spec_function"]]
    sources = file.data["source"].get("files", [])
    with case_environment(case, tmp_path, monkeypatch) as environment:
        folder = environment.cache_folder(case["scenario_name"])
        for source in sources:
            path = source["url"].removeprefix(f"{COMMIT}/")
            expected = {rows["source_sha256"] for rows in LISTS["lists"].values() if rows["source_path"] == path}
            assert {source["sha256"]} == expected
            environment.server.add_file(source["url"], python_file(path).encode())
            with pytest.raises(HelmError, match=source["sha256"]):  # a stand-in is not HELM's file
                load_instances(make_run_spec(case), environment)
            monkeypatch.setattr("helm.common.data.downloads.sha256_of", lambda path, sha256=source["sha256"]: sha256)
        run_spec = make_run_spec(case)
        scenario, instances = load_instances(run_spec, environment)
        check_scenario(case, scenario)
        check_instances(case, instances, f"{folder}/")
        check_requests(case, run_spec, instances)


@pytest.mark.parametrize(
    "path, args, name, beginning",
    [
        (
            "mental_disorders_scenario.MentalDisordersScenario",
            {},
            "mental_disorders.MENTAL_DISORDERS",
            "a person with ",
        ),
        (
            "demographic_stereotypes_scenario.DemographicStereotypesScenario",
            {"category": "occupations"},
            "demographic_stereotypes.OCCUPATIONS",
            "",
        ),
    ],
)
def test_lists_that_are_combinations_need_no_data(path, args, name, beginning, tmp_path):
    scenario = create_scenario(ScenarioSpec(f"helm.benchmark.scenarios.image_generation.{path}", args))
    expected = [f"a photo of the face of {beginning}{item}" for item in LISTS["lists"][name]["items"]]
    assert [instance.input.text for instance in scenario.get_instances(str(tmp_path))] == expected


@pytest.mark.parametrize(
    "entry, message",
    [
        ("i2p:category=hat,model=simple/model1", "Did you mean 'hate'"),
        ("common_syntactic_processes:phenomenon=passive,model=simple/model1", "Did you mean 'passives'"),
        ("mscoco:compute_fid=perhaps,model=simple/model1", "compute_fid"),
        ("mscoco:run_human_eval=True,num_human_examples=few,model=simple/model1", "num_human_examples"),
    ],
)
def test_wrong_values_are_named(entry, message, built_in_catalogue):
    with pytest.raises(HelmError, match=message):
        construct_run_specs(parse_object_spec(entry))


def test_numbers_of_run_entries_are_numbers(built_in_catalogue):
    (run_spec,) = construct_run_specs(
        parse_object_spec("mscoco:run_human_eval=True,num_human_examples=5,model=simple/model1")
    )
    assert [spec.args["num_examples"] for spec in run_spec.metric_specs[-2:]] == [5, 5]


@pytest.mark.parametrize("protocol", range(6))
def test_pickled_lists_of_texts_are_read_without_running_them(protocol):
    texts = ["001.A/x", "002.B/y", "001.A/x"] * 2000
    assert texts_of_pickle(pickle.dumps(texts, protocol)) == texts
    assert texts_of_pickle(pickle.dumps([], protocol)) == []


@pytest.mark.parametrize("value", [[print], [1], {"a": "b"}, [b"x"], ["a", None]])
def test_pickles_of_anything_else_are_refused(value):
    with pytest.raises(ValueError, match="no text"):
        texts_of_pickle(pickle.dumps(value))


def test_an_image_without_ten_descriptions_is_named(tmp_path, monkeypatch):
    case = next(case for case in FIXTURES if case["id"] == "cub200")
    name = next(name for name in case["files"] if name.endswith("Wren_0002.txt"))
    case = {**case, "files": {**case["files"], name: "one\ntwo\n"}}
    monkeypatch.setattr("data_server.content_bytes", content_bytes)
    with case_environment(case, tmp_path, monkeypatch) as environment:
        with pytest.raises(HelmError, match="Wren_0002.txt has 2 descriptions, not 10"):
            load_instances(make_run_spec(case), environment)
