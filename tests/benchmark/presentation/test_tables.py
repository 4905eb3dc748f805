"""The arithmetic and the texts of tables."""

import builtins
from dataclasses import replace
from typing import Any, Dict, List

import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.group_tables import get_unique_stat_by_matcher
from helm.benchmark.presentation.schema_validation import validate_schema
from helm.benchmark.presentation.table import (
    Cell,
    HeaderCell,
    Table,
    compute_aggregate_row_means,
    compute_aggregate_row_win_rates,
    mark_best_values,
    table_to_latex,
)
from helm.common.codec import asdict_without_nones, structure
from helm.common.errors import ConfigError
from helm.common.general import unique_simplification
from helm.results.schema import MetricNameMatcher, schema_from_dict
from vectors_support import load_vectors, vector_cases


def _expected_error(outcome: Any) -> Any:
    """The exception type of `{"raises": name}`, or None for a value."""
    return getattr(builtins, outcome["raises"]) if isinstance(outcome, dict) and "raises" in outcome else None


def _number_table(lower_is_better: List[Any], rows: List[List[Any]]) -> Table:
    header = [HeaderCell(f"c{i}", lower_is_better=direction) for i, direction in enumerate(lower_is_better)]
    return Table("numbers", header, [[Cell(value) for value in row] for row in rows])


@pytest.mark.parametrize("case", vector_cases("helm-metrics/win_rates.json"), ids=str)
def test_win_rates_vector(case: Dict[str, Any]) -> None:
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
def test_latex_vector(case: Dict[str, Any]) -> None:
    rows = [[structure(cell, Cell) for cell in row] for row in case["rows"]]
    assert (
        table_to_latex(Table("t", [HeaderCell(value) for value in case["header"]], rows), case["name"]) == case["latex"]
    )


@pytest.mark.parametrize("case", vector_cases("helm-metrics/stat_matchers.json"), ids=lambda case: str(case["matcher"]))
def test_stat_matchers_vector(case: Dict[str, Any]) -> None:
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
def test_unique_simplification_vector(case: Dict[str, Any]) -> None:
    error = _expected_error(case["value"])
    if error is not None:
        with pytest.raises(error):
            unique_simplification(case["items"], ["model_deployment", "model"])
    else:
        assert unique_simplification(case["items"], ["model_deployment", "model"]) == case["value"]


@pytest.mark.parametrize("case", vector_cases("helm-metrics/schema_validation.json"), ids=lambda case: case["title"])
def test_schema_validation_vector(case: Dict[str, Any]) -> None:
    assert load_vectors("helm-metrics/schema_validation.json")["kind"] == "schema_validation"
    messages = validate_schema(
        schema_from_dict(case["schema"]), check_mixed_groups=True, check_unreferenced_groups=True
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
