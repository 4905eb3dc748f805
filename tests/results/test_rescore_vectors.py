"""Re-scoring the golden runs gives their statistics again: from the original's files and from our own."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark import run
from helm.benchmark.commands import rescore
from helm.common.codec import dump_json
from registries_support import empty_registries
from results_support import FILES, read_bytes
from vectors_support import load_vectors, vectors_dir

NAMES = sorted(path.name for path in (vectors_dir() / "helm-core" / "runs").glob("*.json"))


def _replace_volatile(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: 1 if value == "<volatile>" else _replace_volatile(value) for key, value in data.items()}
    return [_replace_volatile(item) for item in data] if isinstance(data, list) else data


def write_run_of_the_original(suite: Path, expected: dict[str, Any]) -> Path:
    """The run's folder as the original wrote it, but for request times."""
    folder = suite / expected["run_spec.json"]["name"]
    folder.mkdir(parents=True)
    for name in FILES:
        data = expected[name]
        if name == "scenario_state.json":
            data = _replace_volatile({"adapter_spec": expected["run_spec.json"]["adapter_spec"], **data})
        (folder / name).write_text(dump_json(data))
    return folder


def without_volatile(text: bytes, names: list[str]) -> str:
    """Statistics without those of request times, in the layout of the files, so that every digit counts."""
    data = json.loads(text)
    for item in data:
        if "stats" in item:
            item["stats"] = [stat for stat in item["stats"] if stat["name"]["name"] not in names]
    return dump_json([item for item in data if "stats" in item or item["name"]["name"] not in names])


def test_vectors_of_runs_are_there() -> None:
    assert NAMES


@pytest.mark.parametrize("name", NAMES)
def test_vectors_runs_of_the_original_score_the_same(
    name: str, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = load_vectors(f"helm-core/runs/{name}")
    monkeypatch.chdir(tmp_path)
    if case["prod_env"]:
        shutil.copytree(vectors_dir() / "helm-core" / case["prod_env"], tmp_path / "prod_env")
    folders = [write_run_of_the_original(tmp_path / "runs", expected) for expected in case["runs"]]
    stored = [read_bytes(folder) for folder in folders]
    with empty_registries():
        rescore.main([str(tmp_path / "runs")])
    for folder, before, expected in zip(folders, stored, case["runs"], strict=True):
        after = read_bytes(folder)
        for file_name in ("run_spec.json", "scenario.json", "scenario_state.json"):
            assert after[file_name] == before[file_name]
        for file_name in ("stats.json", "per_instance_stats.json"):
            found, wanted = (without_volatile(x[file_name], expected["volatile_stats"]) for x in (after, before))
            assert found == wanted, file_name


@pytest.mark.parametrize("name", NAMES)
def test_vectors_own_runs_score_the_same_to_the_byte(
    name: str, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = load_vectors(f"helm-core/runs/{name}")
    monkeypatch.chdir(tmp_path)
    if case["prod_env"]:
        shutil.copytree(vectors_dir() / "helm-core" / case["prod_env"], tmp_path / "prod_env")
    for path, text in case["fixtures"].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    with empty_registries():
        run.main(case["argv"])
    folders = [tmp_path / "benchmark_output" / "runs" / expected["directory"] for expected in case["runs"]]
    stored = [read_bytes(folder) for folder in folders]
    for folder in folders:  # so that everything is written again
        for file_name in ("stats.json", "per_instance_stats.json", "coverage.json"):
            (folder / file_name).unlink(missing_ok=True)
    with empty_registries():
        rescore.main(["-o", "benchmark_output", *map(str, folders)])
    for folder, before in zip(folders, stored, strict=True):
        assert read_bytes(folder) == before
