"""Whole runs of a model that makes images, and the tables of HEIM, against the files that HELM writes."""

import base64
import hashlib
import importlib
import json
import math
import re
import shutil
import sys
from pathlib import Path

import pytest

from helm.benchmark import run
from helm.benchmark.presentation import summarize
from registries_support import empty_registries
from vectors_support import vector_cases, vectors_dir

CASES = vector_cases("helm-heim/runs.json")
SCHEMA = Path(run.__file__).parent / "static" / "schema_heim.yaml"


def difference(expected, found, path="$"):
    """Where two JSON values first differ; numbers may differ by 1e-9 relatively. Empty when nowhere."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if set(expected) != set(found):
            return f"{path}: {sorted(set(expected) ^ set(found))} are in one only"
        pairs = [(f"{path}.{key}", expected[key], found[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{path}: {len(expected)} != {len(found)} items"
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(expected, found, strict=True))]
    elif isinstance(expected, float) and isinstance(found, (int, float)):
        return "" if math.isclose(expected, found, rel_tol=1e-9) else f"{path}: {expected} != {found}"
    else:
        return "" if expected == found else f"{path}: {expected!r} != {found!r}"
    return next(filter(None, (difference(a, b, place) for place, a, b in pairs)), "")


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The folder in which both runs were made and summarized."""
    pytest.importorskip("PIL")
    folder = tmp_path_factory.mktemp("heim")
    shutil.copytree(vectors_dir() / "helm-heim" / "env", folder / "prod_env")
    with pytest.MonkeyPatch.context() as monkeypatch, empty_registries():
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(str(vectors_dir() / "helm-heim" / "plugin"))
        importlib.import_module("heim_vectors_plugin")
        for case in CASES:
            run.main(case["argv"])
        summarize.main(["--suite", "s", "--schema-path", str(SCHEMA)])
        sys.modules.pop("heim_vectors_plugin")
    return folder


def read(suite, case, name):
    text = (suite / "benchmark_output/runs/s" / case["directory"] / name).read_text(encoding="utf-8")
    return json.loads(re.sub(r"[0-9a-f]{32}(?=\.png)", "{id}", text))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["directory"])
def test_vectors_files_of_a_run_are_those_of_helm(case, suite):
    volatile = case["volatile_stats"]
    assert difference(case["run_spec.json"], read(suite, case, "run_spec.json")) == ""
    states = read(suite, case, "scenario_state.json")["request_states"]
    for state in states:
        state["result"]["request_time"] = "<volatile>"
        state["result"].pop("request_datetime", None)
    assert difference(case["request_states"], states) == ""
    stats = [stat for stat in read(suite, case, "stats.json") if stat["name"]["name"] not in volatile]
    assert difference(case["stats.json"], stats) == ""
    entries = read(suite, case, "per_instance_stats.json")
    for entry in entries:
        entry["stats"] = [stat for stat in entry["stats"] if stat["name"]["name"] not in volatile]
    assert difference(case["per_instance_stats.json"], entries) == ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["directory"])
def test_vectors_display_files_are_those_of_helm(case, suite):
    for name in ("instances.json", "display_requests.json"):
        assert difference(case[name], read(suite, case, name)) == ""
    predictions = read(suite, case, "display_predictions.json")
    for prediction in predictions:
        assert all(base64.b64decode(image).startswith(b"\xff\xd8") for image in prediction["base64_images"])
        prediction["base64_images"] = [
            {"jpeg_bytes_begin_with": image[:5], "is_not_empty": bool(image)} for image in prediction["base64_images"]
        ]
        for name in case["volatile_stats"]:
            prediction["stats"].pop(name, None)
    assert difference(case["display_predictions.json"], predictions) == ""


def test_vectors_stored_images_have_the_bytes_of_helms(suite):
    folder = suite / CASES[0]["stored_image_folder"]
    found = sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir())
    assert found == sorted(digest for case in CASES for digest in case["stored_images_sha256_sorted"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["directory"])
def test_vectors_tables_of_groups_are_those_of_helm(case, suite):
    for group, tables in case["group_tables"].items():
        text = (suite / f"benchmark_output/runs/s/groups/{group}.json").read_text(encoding="utf-8")
        found = json.loads(text)
        assert [(table["name"], table["title"]) for table in found] == [(t["name"], t["title"]) for t in tables]
        for table, expected in zip(found, tables, strict=True):
            assert [cell["value"] for cell in table["header"]] == expected["header"]
            rows = [[cell.get("value") for cell in row] for row in table["rows"]]
            for i, row in enumerate(expected["rows"]):
                rows[i] = ["<volatile>" if b == "<volatile>" else a for a, b in zip(rows[i], row, strict=True)]
            assert difference(expected["rows"], rows) == ""


def test_answers_of_people_are_merged_over_perturbations(suite, tmp_path, monkeypatch):
    """HELM's `helm-summarize` fails with a KeyError for `__all__` as soon as a table with such a column has a run."""
    source = suite / "benchmark_output/runs/s" / CASES[0]["directory"]
    folder = tmp_path / "benchmark_output/runs/s" / CASES[0]["directory"]
    shutil.copytree(source, folder)
    run_spec = json.loads((folder / "run_spec.json").read_text(encoding="utf-8"))
    (folder / "run_spec.json").write_text(json.dumps({**run_spec, "groups": ["mscoco_base"]}), encoding="utf-8")
    mix = {"name": "mild_mix", "robustness": True, "fairness": False, "computed_on": "perturbed"}
    stats = []
    for perturbation, values in (({}, [1, 2, 3]), ({"perturbation": mix}, [5])):
        name = {"name": "image_text_alignment_human", "split": "valid", **perturbation}
        numbers = {"count": len(values), "sum": sum(values), "sum_squared": sum(v * v for v in values)}
        mean = numbers["sum"] / numbers["count"]
        stats.append({"name": name, **numbers, "min": min(values), "max": max(values), "mean": mean})
    (folder / "stats.json").write_text(json.dumps(stats), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(suite / "prod_env", tmp_path / "prod_env")
    with empty_registries():
        summarize.main(["--suite", "s", "--schema-path", str(SCHEMA)])
    text = (tmp_path / "benchmark_output/runs/s/groups/mscoco_base.json").read_text(encoding="utf-8")
    (table,) = json.loads(text)
    column = [cell["value"] for cell in table["header"]].index("Image text alignment (human)")
    assert table["rows"][0][column]["value"] == 2.75
