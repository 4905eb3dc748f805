"""The schemas that ship with the package: facts, validity, and how they are named and extended."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.presentation.schemas.schema_validation import validate_schema
from helm.common.codec import asdict_without_nones
from helm.common.errors import ConfigError
from helm.results.schema import (
    Field,
    MetricGroup,
    MetricNameMatcher,
    RunGroup,
    find_schema,
    get_shipped_schema_names,
    read_schema,
)

VECTORS = Path(__file__).parents[2] / "vectors/helm-metrics/data/schema_facts.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]
assert CASES

PROSE = ("description", "short_description", "taxonomy")
OURS = ("unit",)
"""What the original's schemas do not say."""
NO_METRIC = "Metric '{}' is not defined and is not a template variable"
FINDINGS = {
    "schema_classic.yaml": [
        ("metric_groups[robustness_detailed].metrics[1].perturbation_name", "Perturbation 'synonyms' is not defined"),
        ("metric_groups[cleva_translation_metrics].metrics[0].name", NO_METRIC.format("bleu")),
    ],
    "schema_safety.yaml": [("metric_groups[efficiency].metrics[0].name", NO_METRIC.format("inference_runtime"))],
}
"""What the original's schemas get wrong, which the validator says of them too."""


def facts_of(item: Any, cls: type) -> dict[str, Any]:
    """What the vectors hold of an item: everything but prose and values equal to the default."""
    default = cls(name="", split="") if cls is MetricNameMatcher else cls(name="")
    data = asdict_without_nones(item)
    facts: dict[str, Any] = {}
    for f in fields(cls):
        if f.name in (*PROSE, *OURS) or f.name not in data or getattr(item, f.name) == getattr(default, f.name):
            continue
        facts[f.name] = data[f.name]
    return facts


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["schema"])
def test_schema_facts_vector(case: dict[str, Any]) -> None:
    schema = read_schema(case["schema"])
    for key, cls in [
        ("metrics", Field),
        ("perturbations", Field),
        ("metric_groups", MetricGroup),
        ("run_groups", RunGroup),
    ]:
        got = {item.name: facts_of(item, cls) for item in getattr(schema, key)}
        assert list(got) == [item["name"] for item in case[key]], key
        for item in case[key]:
            assert got[item["name"]] == item, (key, item["name"])


@pytest.mark.parametrize("name", get_shipped_schema_names())
def test_shipped_schema_is_valid(name: str) -> None:
    schema = read_schema(name)
    assert [(m.location, m.message) for m in validate_schema(schema, strict=False)] == FINDINGS.get(name, [])
    assert schema.run_groups and schema.metrics and schema.metric_groups
    for group in schema.run_groups:
        assert group.display_name and (group.description or group.todo), group.name
        for metric_group_name in group.metric_groups:
            assert metric_group_name in schema.name_to_metric_group
        main = group.environment.get("main_name")
        if group.metric_groups and main not in (None, "none"):
            assert main in schema.name_to_metric, (group.name, main)
    assert all(metric.description for metric in schema.metrics)


def test_the_default_takes_the_classic_groups_over_as_they_are() -> None:
    classic, default = read_schema("schema_classic.yaml"), read_schema("schema.yaml")
    assert set(classic.name_to_run_group) < set(default.name_to_run_group)
    for name, group in classic.name_to_run_group.items():
        assert default.name_to_run_group[name] == group
    changed = {n for n, group in classic.name_to_metric_group.items() if default.name_to_metric_group[n] != group}
    assert changed == {"cleva_translation_metrics"}
    assert all(default.name_to_metric[name] == metric for name, metric in classic.name_to_metric.items())


def test_a_schema_extends_another_by_name(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "extends: schema_lite.yaml\nmetrics: [{name: f1_score, display_name: Mine}, {name: new}]\n"
        "run_groups: [{name: mine, subgroups: [gsm]}]\n"
    )
    schema, lite = read_schema(str(own)), read_schema("schema_lite.yaml")
    assert schema.metrics[0].display_name == "Mine" and len(schema.metrics) == len(lite.metrics) + 1
    assert [group.name for group in schema.run_groups] == ["mine", *lite.name_to_run_group]
    beside = tmp_path / "other.yaml"
    beside.write_text("extends: own.yaml")
    assert read_schema(str(beside)).run_groups == schema.run_groups


@pytest.mark.parametrize(
    "text, message",
    [
        ("extends: own.yaml", "extends this file"),
        ("extends: [a]", "extends: expected the name of a schema file, got list"),
        ("extends: schema_light.yaml", "'schema_light.yaml' does not exist. Did you mean 'schema_lite.yaml'?"),
        ("extends: x.json", "Schema file 'x.json' does not exist."),
    ],
)
def test_a_wrong_base_is_named(tmp_path: Path, text: str, message: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_schema(str(own))
    assert message in str(error.value)


def test_a_file_goes_before_a_shipped_schema_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_schema("schema_lite.yaml").endswith("static/schema_lite.yaml")
    Path("schema_lite.yaml").write_text("metrics: []")
    assert find_schema("schema_lite.yaml") == "schema_lite.yaml"
    with pytest.raises(ConfigError, match="'schema_safty.yaml' does not exist. Did you mean 'schema_safety.yaml'"):
        find_schema("schema_safty.yaml")
    with pytest.raises(ConfigError, match="Shipped schemas: schema.yaml, schema_air_bench.yaml"):
        find_schema("qqqqq")
