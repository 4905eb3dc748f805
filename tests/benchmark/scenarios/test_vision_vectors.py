"""RunSpecs and instances of HELM's vision-language scenarios, with pictures from made-up data sets."""

import base64
import csv
import io
import json
import re
from pathlib import Path

import pytest

import data_server
from helm.benchmark.declarative import absent
from scenario_support import (
    case_environment,
    check_run_spec,
    check_scenario,
    load_instances,
    make_run_spec,
    references_of,
)

FIXTURES = json.loads(
    (Path(__file__).parents[2] / "vectors/helm-vision-audio/fixtures_vision.json").read_text(encoding="utf-8")
)
MEDIA = {name: base64.b64decode(medium["base64"]) for name, medium in FIXTURES["media"].items()}
CASES = [case for case in FIXTURES["cases"] if absent.why_absent(case["run_spec_function"]) is None]


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
def test_run_spec_and_instances_are_as_in_helm(case, tmp_path, monkeypatch):
    case = with_pictures(case)
    case = {**case, **{key: in_their_repository(case[key]) for key in ("hf", "hf_calls") if case.get(key)}}
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
                "input": [
                    {name: value.replace(folder, "") for name, value in media.to_dict().items()}
                    for media in instance.input.multimedia_content.media_objects
                ],
                "references": references_of(instance.references),
                "split": instance.split,
            }
            for instance in instances
        ]
        assert got == case["instances"]
