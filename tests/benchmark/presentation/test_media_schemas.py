"""helm-summarize with the schemas of vision, audio and image making: every group of a schema that has a run gets a table."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import helm.benchmark
from compare_support import make_run
from helm.benchmark.presentation import summarize

FOLDER = Path(helm.benchmark.__file__).parent / "static"
SCHEMAS = ("vhelm", "vhelm_lite", "image2struct", "audio", "slp", "slphelm", "heim", "video")


def leaves(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [group for group in schema["run_groups"] if not group.get("subgroups")]


def metrics_of(schema: dict[str, Any], group: dict[str, Any]) -> list[str]:
    """The names of the metrics that the tables of a group show."""
    environment = group.get("environment") or {}
    names = [
        metric["name"]
        for kind in schema["metric_groups"]
        if kind["name"] in group.get("metric_groups", [])
        for metric in kind["metrics"]
    ]
    return [name.replace("${main_name}", environment.get("main_name", "")) for name in names]


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_group_with_a_run_has_a_table(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema = yaml.safe_load((FOLDER / f"schema_{name}.yaml").read_text(encoding="utf-8"))
    groups = leaves(schema)
    assert groups
    expected = {}
    for number, group in enumerate(groups):
        metric = next((metric for metric in metrics_of(schema, group) if metric), None)
        if metric is None:
            continue
        split = (group.get("environment") or {}).get("main_split", "test")
        path = make_run(
            tmp_path / "benchmark_output/runs/s", {"id0": [0.25]}, "openai/gpt-4o-2024-11-20", f"task{number}",
            metric=metric, groups=[group["name"]],
        )  # fmt: skip
        for file in ("stats.json", "per_instance_stats.json"):
            text = (path / file).read_text(encoding="utf-8").replace('"split": "test"', f'"split": "{split}"')
            (path / file).write_text(text, encoding="utf-8")
        expected[group["name"]] = metric
    summarize.main(["--suite", "s", "--schema-path", f"schema_{name}.yaml"])
    without = []
    for group_name in expected:
        file = tmp_path / "benchmark_output/runs/s/groups" / f"{group_name}.json"
        tables = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        values = [cell.get("value") for table in tables for row in table["rows"] for cell in row]
        if 0.25 not in values:
            without.append(group_name)
    assert not without
