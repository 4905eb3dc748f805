"""Each shipped schema has exactly the groups, metrics and taxonomies of HELM's, is complete, and can be summarized with."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from classic_suite_support import ClassicSuite, make_stat
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation import contamination, summarize
from helm.benchmark.presentation import schema as helm_schema
from helm.benchmark.presentation.tables.run_index import get_unique_stat_by_matcher
from helm.common.files import load_yaml
from helm.results.schema import (
    MetricNameMatcher,
    RunGroup,
    Schema,
    fill_matchers,
    find_schema,
    get_shipped_schema_names,
    read_schema,
)
from vectors_support import load_vectors

VECTOR = load_vectors("helm-metrics/data/schemas.json")
NAMES = sorted(VECTOR["schemas"])
assert len(NAMES) == 35
SECTIONS = ("metrics", "perturbations", "metric_groups", "run_groups")
PROSE = ("description", "short_description")


def expected(name: str, section: str) -> list[dict[str, Any]]:
    return [VECTOR["items"][section][position] for position in VECTOR["schemas"][name][section]]


def without_prose(item: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key not in PROSE}


@pytest.mark.parametrize("name", NAMES)
def test_the_structure_of_a_schema_is_the_originals(name: str) -> None:
    data = load_yaml(find_schema(name))
    assert set(data) <= set(SECTIONS)  # complete: no key that only our loader knows
    for section in SECTIONS:
        got = [without_prose(item) for item in data.get(section) or []]
        assert [item["name"] for item in got] == [item["name"] for item in expected(name, section)]
        for ours, theirs in zip(got, expected(name, section), strict=True):
            assert ours == theirs


def test_every_schema_of_the_original_ships() -> None:
    shipped = get_shipped_schema_names()
    assert set(NAMES) <= set(shipped)
    assert [os.path.basename(path) for path in helm_schema.get_all_schema_paths()] == shipped[1:]
    assert shipped[0] == "schema.yaml"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if number % 3 else [])
        for number, name in enumerate(get_shipped_schema_names())
    ],
)
def test_a_made_up_suite_is_summarized(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    schema = read_schema(name)
    suite = ClassicSuite(tmp_path / "benchmark_output", "made-up")
    parents = [group for group in schema.run_groups if group.subgroups and group.visibility == "all_groups"]
    groups = [group for group in schema.run_groups if group.metric_groups and not group.subgroups]
    scored = {group.name: first_column(schema, group) for group in groups[:: max(1, len(groups) // 3)][:3]}
    for group, column in scored.items():
        for model, value in (("simple/model1", 0.25), ("baseline/majority", 0.75)):
            suite.add_run(group, model, [make_stat(column.name, column.split, value)])
    summarize.main(["--suite", "made-up", "--schema-path", name])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err and "Contamination" not in captured.err
    made = json.loads((suite.path / "schema.json").read_text())
    assert [group["name"] for group in made["run_groups"]] == [group.name for group in schema.run_groups]
    for group in scored:
        tables = json.loads((suite.path / "groups" / f"{group}.json").read_text())
        assert {0.25, 0.75} <= {cell.get("value") for table in tables for row in table["rows"] for cell in row}, group
    for parent in (group for group in parents if not scored.keys().isdisjoint(group.subgroups)):
        assert (suite.path / "groups" / f"{parent.name}.json").is_file()


def first_column(schema: Schema, group: RunGroup) -> MetricNameMatcher:
    """The first column of a group's tables that shows unperturbed instances."""
    metric_groups = [schema.name_to_metric_group[name] for name in group.metric_groups]
    matchers = [matcher for metric_group in metric_groups for matcher in fill_matchers(group, metric_group)]
    return next(matcher for matcher in matchers if matcher.perturbation_name is None and matcher.name != "none")


def test_a_matcher_of_all_perturbations_merges_them() -> None:
    def stat(value: float, perturbation: str | None, computed_on: str = "worst") -> Stat:
        described = PerturbationDescription(name=perturbation, computed_on=computed_on) if perturbation else None
        return Stat(MetricName("clear_subject_human", split="test", perturbation=described)).add(value)

    matcher = MetricNameMatcher("clear_subject_human", "__all__", perturbation_name="__all__")
    stats = [stat(1.0, None), stat(3.0, "dialect"), stat(9.0, "dialect", "perturbed")]
    found = get_unique_stat_by_matcher(stats, matcher)
    assert found is not None and (found.count, found.mean) == (2, 2.0)
    assert get_unique_stat_by_matcher(stats, MetricNameMatcher("clear_subject_human", "test")) == stats[0]


def test_validation_by_the_originals_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "run_groups: [{name: a, subgroups: [b], metric_groups: [m]}]\nmetric_groups: [{name: m, metrics: []}]\n"
    )
    text = f"[{path}] [ERROR] at run_groups[a].subgroups[0]: Subgroup 'b' is not defined as a run_group"
    assert [str(m) for m in helm_schema.validate_schema_file(str(path), strict=False)] == [text]
    with pytest.raises(helm_schema.SchemaValidationError) as error:
        helm_schema.validate_schema_file(str(path))
    assert str(error.value) == f"Schema validation failed with 1 error(s):\n{text}"
    assert [m.severity for m in error.value.messages] == [helm_schema.ValidationSeverity.ERROR]
    schema = helm_schema.read_schema(schema_path=str(path))
    found = helm_schema.validate_schema(
        schema, strict=False, check_parent_child_partition=True, check_orphan_children=True
    )
    assert [str(m) for m in found[1:]] == [
        "[WARNING] at run_groups[a]: Run group 'a' has both subgroups and metric_groups",
        "[WARNING] at run_groups[a]: Run group 'a' has metric_groups but is not a subgroup of any group",
    ]
    [missing] = helm_schema.validate_schema_file(str(tmp_path / "none.yaml"), strict=False)
    assert missing.location is None and "does not exist" in missing.message
    assert [helm_schema.is_template_variable(text) for text in ("${a}", "x${a}", "${a b}")] == [True, False, False]
    assert helm_schema.SCHEMA_YAML_PACKAGE == contamination.CONTAMINATION_YAML_PACKAGE == "helm.benchmark.static"


PEER_LOADS = """
import dataclasses, json, sys
from helm.benchmark.presentation.schema import read_schema
print(json.dumps([dataclasses.asdict(read_schema(path)) for path in sys.argv[1:]]))
"""


@pytest.mark.peer
@pytest.mark.skipif("PEER_PYTHON" not in os.environ, reason="PEER_PYTHON names no environment with crfm-helm")
def test_the_originals_loader_reads_every_file_like_ours() -> None:
    paths = helm_schema.get_all_schema_paths()
    made = {}
    for python in (os.environ["PEER_PYTHON"], sys.executable):
        output = subprocess.run(
            [python, "-c", PEER_LOADS, *paths], capture_output=True, text=True, check=True, timeout=300
        )
        made[python] = json.loads(output.stdout.splitlines()[-1])
    theirs, ours = made.values()
    for path, their, our in zip(paths, theirs, ours, strict=True):
        for section in SECTIONS:
            known = their[section][0] if their[section] else {}
            assert their[section] == [{key: item[key] for key in known} for item in our[section]], (path, section)
