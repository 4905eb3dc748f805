"""The arithmetic and the texts of tables."""

import builtins
from dataclasses import replace
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.schemas.schema_validation import validate_schema
from helm.benchmark.presentation.table import (
    Cell,
    HeaderCell,
    Table,
    compute_aggregate_row_means,
    compute_aggregate_row_win_rates,
    mark_best_values,
    table_to_latex,
)
from helm.benchmark.presentation.tables.group_tables import (
    describe_failures,
    get_subject_title,
)
from helm.benchmark.presentation.tables.run_index import get_unique_stat_by_matcher
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.specs import ScenarioSpec
from helm.common.codec import asdict_without_nones, structure
from helm.common.errors import ConfigError
from helm.common.general import unique_simplification
from helm.results.run_files.run_reader import Run
from helm.results.schema import MetricNameMatcher, schema_from_dict
from vectors_support import load_vectors, vector_cases


def _expected_error(outcome: Any) -> Any:
    """The exception type of `{"raises": name}`, or None for a value."""
    return getattr(builtins, outcome["raises"]) if isinstance(outcome, dict) and "raises" in outcome else None


def _number_table(lower_is_better: list[Any], rows: list[list[Any]]) -> Table:
    header = [HeaderCell(f"c{i}", lower_is_better=direction) for i, direction in enumerate(lower_is_better)]
    return Table("numbers", header, [[Cell(value) for value in row] for row in rows])


@pytest.mark.parametrize("case", vector_cases("helm-metrics/win_rates.json"), ids=str)
def test_win_rates_vector(case: dict[str, Any]) -> None:
    table = _number_table(case["lower_is_better"], case["rows"])
    for name, compute in [
        ("mean_win_rate", lambda: compute_aggregate_row_win_rates(table, "mean")),
        ("median_win_rate", lambda: compute_aggregate_row_win_rates(table, "median")),
        ("mean_score", lambda: compute_aggregate_row_means(table)),
    ]:
        error = _expected_error(case[name])
        if error is not None:
            with pytest.raises(error):
                compute()
            continue
        got = compute()
        assert [value is None for value in got] == [value is None for value in case[name]], name
        assert [v for v in got if v is not None] == pytest.approx([v for v in case[name] if v is not None], rel=1e-9), (
            name
        )


@pytest.mark.parametrize("case", vector_cases("helm-metrics/latex.json"), ids=lambda case: case["name"])
def test_latex_vector(case: dict[str, Any]) -> None:
    rows = [[structure(cell, Cell) for cell in row] for row in case["rows"]]
    assert (
        table_to_latex(Table("t", [HeaderCell(value) for value in case["header"]], rows), case["name"]) == case["latex"]
    )


@pytest.mark.parametrize("case", vector_cases("helm-metrics/stat_matchers.json"), ids=lambda case: str(case["matcher"]))
def test_stat_matchers_vector(case: dict[str, Any]) -> None:
    stats = [structure(data, Stat) for data in case["stats"]]
    matcher = MetricNameMatcher(**case["matcher"])
    error = _expected_error(case["found"])
    if error is not None:
        with pytest.raises(error):
            get_unique_stat_by_matcher(stats, matcher)
        return
    found = get_unique_stat_by_matcher(stats, matcher)
    assert (None if found is None else asdict_without_nones(found)) == case["found"]


@pytest.mark.parametrize("case", vector_cases("helm-metrics/unique_simplification.json"), ids=str)
def test_unique_simplification_vector(case: dict[str, Any]) -> None:
    error = _expected_error(case["value"])
    if error is not None:
        with pytest.raises(error):
            unique_simplification(case["items"], ["model_deployment", "model"])
    else:
        assert unique_simplification(case["items"], ["model_deployment", "model"]) == case["value"]


@pytest.mark.parametrize("case", vector_cases("helm-metrics/schema_validation.json"), ids=lambda case: case["title"])
def test_schema_validation_vector(case: dict[str, Any]) -> None:
    assert load_vectors("helm-metrics/schema_validation.json")["kind"] == "schema_validation"
    messages = validate_schema(
        schema_from_dict(case["schema"]), strict=False, check_parent_child_partition=True, check_orphan_children=True
    )
    assert [[m.severity, m.location, m.message] for m in messages] == case["messages"]


def test_best_values_are_bold_in_the_direction_of_the_column() -> None:
    table = _number_table([False, True, None], [[1, 1, 1], [3, 3, 3], [3, None, 3]])
    mark_best_values(table)
    assert [[bool(cell.style) for cell in row] for row in table.rows] == [
        [False, True, False],
        [True, False, False],
        [True, False, False],
    ]


def test_an_ambiguous_statistic_is_refused_and_sub_splits_are_merged() -> None:
    def stat(value: float, **name: Any) -> Stat:
        return Stat(MetricName("exact_match", **name)).add(value)

    matcher = MetricNameMatcher(name="exact_match", split="test")
    halves = [stat(1.0, split="test", sub_split="easy"), stat(0.0, split="test", sub_split="hard")]
    merged = get_unique_stat_by_matcher([*halves, stat(0.7, split="valid")], matcher)
    assert merged is not None and (merged.mean, merged.count) == (0.5, 2)
    twice = [stat(1.0, split="test"), stat(0.0, split="valid")]
    with pytest.raises(ConfigError, match="picks 2 statistics where it must pick one: .*test.*valid"):
        get_unique_stat_by_matcher(twice, replace(matcher, split="__all__"))
    assert get_unique_stat_by_matcher(twice[1:], matcher) is None


def _run(method: str, *stats: Stat) -> Run:
    return Run("runs/suite/name", RunSpec("name", ScenarioSpec("s"), AdapterSpec(method=method), []), list(stats))


def _stat(name: str, value: float, split: str = "test", **more: Any) -> Stat:
    return Stat(MetricName(name, split=split, **more)).add(value)


def test_what_a_tool_could_not_do_is_told_in_numbers_or_shares() -> None:
    matcher = MetricNameMatcher(name="time", split="test")
    failed = [
        _stat("failed", 0.5),
        _stat("failed", 0.9, split="valid"),
        _stat("failed", 0.9, perturbation=PerturbationDescription(name="p", robustness=True)),
        _stat("timed_out", 0.25),
        _stat("crashed", 0.0),
    ]
    run = _run("evaluate", _stat("num_instances", 8), _stat("num_instances", 100, split="valid"), *failed)
    assert describe_failures([run], matcher) == "4 failed, 2 timed out"
    assert describe_failures([run, run], matcher) == "4 failed, 2 timed out", "one run, listed twice"
    assert describe_failures([run, replace(run)], matcher) == "8 failed, 4 timed out"
    unknown = _run("evaluate", *failed)
    assert describe_failures([unknown], matcher) == "50% failed, 25% timed out"
    assert describe_failures([unknown, _run("evaluate")], matcher) == "25% failed, 12% timed out"
    assert describe_failures([unknown, run], matcher) == "50% failed, 25% timed out"
    assert describe_failures([_run("episode", _stat("episode_failed", 0.5), *failed)], matcher) == "50% failed"
    assert describe_failures([_run("generation", *failed)], matcher) == ""
    assert describe_failures([run], replace(matcher, name="failed")) == "", "the column says it itself"
    assert describe_failures([], matcher) == ""


def test_what_the_rows_are() -> None:
    for methods, title in (
        (["evaluate", "evaluate"], "Tool"),
        (["episode", "compiler_dialog"], "Policy"),
        (["generation"], "Model"),
        (["evaluate", "episode"], "Model"),
        ([], "Model"),
    ):
        rows = {AdapterSpec(method=method, model=str(i)): [_run(method)] for i, method in enumerate(methods)}
        assert get_subject_title(rows) == title
