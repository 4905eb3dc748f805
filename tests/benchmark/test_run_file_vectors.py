"""Golden vectors of whole runs: every file that the original writes, for runs that need neither network nor data."""

import hashlib
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark import run
from registries_support import empty_registries
from vectors_support import load_vectors, vectors_dir

NAMES = sorted(path.name for path in (vectors_dir() / "helm-core" / "runs").glob("*.json"))


def difference(expected: Any, found: Any, path: str = "$") -> str:
    """Where two JSON values first differ; floats may differ by 1e-9 relatively. Empty when nowhere."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if list(expected) != list(found):
            return f"{path}: keys {list(expected)} != {list(found)}"
        pairs = [(f"{path}.{key}", expected[key], found[key]) for key in expected]
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{path}: {len(expected)} != {len(found)} items"
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(expected, found, strict=True))]
    else:
        if type(expected) is float and type(found) is float and math.isclose(expected, found, rel_tol=1e-9):
            return ""
        same = expected == found and type(expected) is type(found)
        return "" if same else f"{path}: {expected!r} != {found!r}"
    return next(filter(None, (difference(a, b, place) for place, a, b in pairs)), "")


def without_volatile_stats(stats: list, names: list) -> list:
    return [stat for stat in stats if stat["name"]["name"] not in names]


def comparable_state(text: str) -> dict:
    state = json.loads(text)
    del state["adapter_spec"]
    for request_state in state["request_states"]:
        for key in ("request_time", "request_datetime"):
            if key in request_state.get("result", {}):
                request_state["result"][key] = "<volatile>"
    return state


def check_run(folder: Path, expected: dict) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    volatile = expected["volatile_stats"]
    assert difference(expected["run_spec.json"], json.loads(texts["run_spec.json"])) == ""
    assert hashlib.sha256(texts["run_spec.json"].encode()).hexdigest() == expected["run_spec_sha256"]
    scenario = json.loads(texts["scenario.json"])
    if expected["scenario.json"]["definition_path"].startswith("<"):  # of a plugin: depends on where it lies
        scenario["definition_path"] = expected["scenario.json"]["definition_path"]
    assert difference(expected["scenario.json"], scenario) == ""
    assert difference(expected["scenario_state.json"], comparable_state(texts["scenario_state.json"])) == ""
    stats = without_volatile_stats(json.loads(texts["stats.json"]), volatile)
    assert difference(expected["stats.json"], stats) == ""
    entries = json.loads(texts["per_instance_stats.json"])
    for entry in entries:
        entry["stats"] = without_volatile_stats(entry["stats"], volatile)
    assert difference(expected["per_instance_stats.json"], entries) == ""


def test_vectors_of_runs_are_there():
    assert NAMES


@pytest.mark.parametrize("name", NAMES)
def test_vectors_files_of_a_run(name, plugin, tmp_path, monkeypatch):
    case = load_vectors(f"helm-core/runs/{name}")
    monkeypatch.chdir(tmp_path)
    if case["prod_env"]:
        shutil.copytree(vectors_dir() / "helm-core" / case["prod_env"], tmp_path / "prod_env")
    for path, text in case["fixtures"].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    with empty_registries():
        run.main(case["argv"])
    for expected in case["runs"]:
        check_run(tmp_path / "benchmark_output" / "runs" / expected["directory"], expected)
