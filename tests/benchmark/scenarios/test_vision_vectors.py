"""RunSpecs and instances of HELM's vision-language scenarios, with pictures from made-up data sets."""

import base64
import csv
import hashlib
import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

import data_server
from helm.benchmark.scenarios.vision_language.image2struct import latex_scenario
from helm.common.errors import ConfigError, HelmError
from helm.common.rendering import latex
from multimodal_support import check_requests, parts_of, references_of
from scenario_support import (
    case_environment,
    check_run_spec,
    check_scenario,
    load_instances,
    make_run_spec,
)
from vectors_support import load_vectors

FIXTURES = load_vectors("helm-vision-audio/fixtures_vision.json")
MEDIA = {name: base64.b64decode(medium["base64"]) for name, medium in FIXTURES["media"].items()}
CASES = FIXTURES["cases"]


def with_pictures(value):
    """The rows as Parquet files of the Hub have them."""
    if isinstance(value, dict):
        if set(value) == {"$image"}:
            return {"bytes": MEDIA[value["$image"]], "path": value["$image"]}
        return {key: with_pictures(item) for key, item in value.items()}
    return [with_pictures(item) for item in value] if isinstance(value, list) else value


def in_their_repository(entries):
    """HELM reads some files of a data set by their addresses; here they are read as files of that data set."""
    address = re.compile(r"https://huggingface\.co/datasets/([^/]+/[^/]+)/resolve/main/(.+)")
    named = []
    for entry in entries:
        found = {split: address.fullmatch(file) for split, file in (entry.get("data_files") or {}).items()}
        if entry["path"] == "json" and all(found.values()):
            files = {split: match.group(2) for split, match in found.items()}
            entry = {**entry, "path": next(iter(found.values())).group(1), "data_files": files}
        named.append(entry)
    return named


def csv_bytes(rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def repository_files(entries):
    files = {"README.md": b"# Data\n"}
    for entry in entries:
        for split, rows in entry["splits"].items():
            if entry.get("data_files"):
                name = entry["data_files"][split]
                files[name] = csv_bytes(rows) if name.endswith(".csv") else json.dumps(rows).encode()
                continue
            name = f"{entry['config'] or 'data'}/{split}-00000-of-00001.parquet"
            files[name] = data_server.parquet_bytes(rows, entry.get("class_labels"))
    configurations = [
        {
            "config_name": entry["config"],
            "data_files": [{"split": split, "path": f"{entry['config']}/{split}-*"} for split in entry["splits"]],
        }
        for entry in entries
        if entry["config"]
    ]
    if configurations:
        files["README.md"] = f"---\n{json.dumps({'configs': configurations})}\n---\n# Data\n".encode()
    return files


@pytest.fixture(autouse=True)
def media_of_cases(monkeypatch):
    text = data_server.content_bytes
    monkeypatch.setattr(data_server, "repository_files", repository_files)
    monkeypatch.setattr(
        data_server,
        "content_bytes",
        lambda content: (
            MEDIA[content["media"]]
            if isinstance(content, dict) and content.get("encoding") == "media"
            else text(content)
        ),
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_run_spec_and_instances_are_those_of_the_vectors(case, tmp_path, monkeypatch):
    case = with_pictures(case)
    case = {**case, **{key: in_their_repository(case[key]) for key in ("hf", "hf_calls") if case.get(key)}}
    compiled = []
    monkeypatch.setattr(
        latex, "compile_document", lambda document: compiled.append(document) or Image.new("RGB", (5, 4), "white")
    )
    monkeypatch.setattr(latex_scenario, "check_latex", lambda: None)
    case["files"] = {name.removeprefix("$download:"): content for name, content in case["files"].items()}
    with case_environment(case, tmp_path, monkeypatch) as environment:
        run_spec = make_run_spec(case)
        check_run_spec(case, run_spec)
        scenario, instances = load_instances(run_spec, environment)
        check_scenario(case, scenario)
        if case.get("error"):  # HELM cannot write such pictures as JPEG; here they become RGB
            assert instances and "cannot write mode" in case["error"]["message"]
            return
        folder = f"{environment.cache_folder(case['scenario_name'])}/"
        got = [
            {
                "input": parts_of(instance.input, folder),
                "references": references_of(instance, folder),
                "split": instance.split,
            }
            for instance in instances
        ]
        assert got == json.loads(json.dumps(case["instances"]).replace("$CACHE/", ""))
        check_requests(case, run_spec, instances, folder)
        check_pictures(case, Path(folder))
        assert compiled == case.get("latex_code", [])


def check_pictures(case, folder):
    """The pictures that HELM writes are there, in the same size; those that keep pixels have the same."""
    from PIL import Image

    for name, expected in case["written_files"].items():
        if expected.get("size") is None or not (folder / name).exists():  # HELM also writes some that nothing names
            continue
        is_made = "latex_code" in case  # by what stands in for LaTeX
        with Image.open(folder / name) as picture:
            assert list(picture.size) == expected["size"], name
            if not is_made and "md5_of_pixels" in expected and picture.mode == expected["mode"]:
                assert hashlib.md5(picture.tobytes()).hexdigest() == expected["md5_of_pixels"], name


RUN_SPECS = [
    case for case in load_vectors("helm-vision-audio/run_specs.json")["cases"] if case["module"] == "vlm_run_specs"
]


@pytest.mark.parametrize("case", RUN_SPECS, ids=lambda case: f"{case['run_spec_function']}-{case['args']}")
def test_run_specs_for_other_arguments_are_those_of_the_vectors(case):
    if "error" in case or "not_checked_here" in case["args"].values():  # here, arguments are checked at once
        with pytest.raises(ConfigError, match="|".join(case["args"].values())):
            make_run_spec(case)
        return
    if case["args"].get("long") == "False":  # HELM takes any text for true; here, it means what it says
        assert make_run_spec(case).name == "mscoco_captioning"
        return
    check_run_spec(case, make_run_spec(case))


def test_ratings_by_people_keep_how_many_chose_each(tmp_path):
    from helm.benchmark.scenarios.scenario import Instance
    from helm.benchmark.scenarios.vision_language.heim_human_eval_scenario import HEIMHumanEvalScenario
    from helm.common.codec import from_json, to_json

    folder = tmp_path / "dataset"
    folder.mkdir()
    question = {"question": "Is it nice?", "choices": {"1": "no", "2": "yes"}}
    (folder / "questions.json").write_text(json.dumps({"aesthetics": question}))
    (folder / "picture.png").write_bytes(MEDIA["rgb1.png"])
    for split, answers in (("train", [1, 2, 2]), ("valid", [3]), ("test", [])):
        row = {"image_path": "picture.png", "human_annotations": answers}
        (folder / f"aesthetics_{split}.jsonl").write_text(json.dumps(row))
    train, valid, test = HEIMHumanEvalScenario("aesthetics").get_instances(str(tmp_path))
    assert [(one.num_human_answered, one.is_correct) for one in train.references] == [(1, False), (2, True)]
    assert not any(one.is_correct for one in valid.references + test.references)
    read = from_json(to_json(train), Instance)
    assert [one.output.text for one in read.references] == ["no", "yes"]

    row = {"image_path": "../../../etc/passwd", "human_annotations": [1]}
    (folder / "aesthetics_train.jsonl").write_text(json.dumps(row))
    with pytest.raises(HelmError, match="not the name of a file"):
        HEIMHumanEvalScenario("aesthetics").get_instances(str(tmp_path))
    with pytest.raises(ConfigError, match="Did you mean 'aesthetics'"):
        HEIMHumanEvalScenario("esthetics")
