"""What runs cost: tokens from their statistics, unknown prices as unknown."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.costs import (
    TokenUsage,
    compute_cost_usd,
    compute_token_costs,
    create_cost_table,
    get_token_usage,
    write_token_costs,
)
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.scenarios.scenario import ScenarioSpec
from helm.common.codec import structure
from helm.common.formats.number_text import format_usd
from helm.results.run_files.run_reader import Run


@dataclass(frozen=True)
class Price:
    input: float
    output: float
    date: str = "2026-11-01"
    up_to_prompt_tokens: int | None = None


def make_run(
    stats: list[dict[str, Any]], deployment: str = "lab/a", name: str = "r", method: str = "generation"
) -> Run:
    adapter_spec = AdapterSpec(method=method, model=deployment, model_deployment=deployment)
    spec = RunSpec(name=name, scenario_spec=ScenarioSpec("x.Y"), adapter_spec=adapter_spec, metric_specs=[])
    return Run("path", spec, [structure(stat, Stat) for stat in stats])


def stat(
    metric: str, total: float, count: int = 1, split: str | None = "test", computed_on: str | None = None
) -> dict[str, Any]:
    context: dict[str, Any] = {"name": metric}
    if split:
        context["split"] = split
    if computed_on:
        context["perturbation"] = {
            "name": "typos",
            "robustness": True,
            "fairness": False,
            "computed_on": computed_on,
        }
    return {"name": context, "count": count, "sum": total, "sum_squared": 0.0, "mean": total / count}


def test_trials_splits_and_perturbed_copies_count_once() -> None:
    stats = [
        stat("num_instances", 30, 3),
        stat("num_instances", 2, split="valid"),
        stat("num_instances", 24, 3, computed_on="perturbed"),
        stat("num_prompt_tokens", 300, 3),
        stat("num_prompt_tokens", 50, split="valid"),
        stat("num_prompt_tokens", 330, 3, computed_on="perturbed"),
        stat("num_prompt_tokens", 300, 3, computed_on="original"),
        stat("num_prompt_tokens", 300, 3, computed_on="worst"),
        stat("num_completion_tokens", 6, 3),
        stat("num_completion_tokens", 5, split="valid"),
        stat("num_completion_tokens", 9, 3, computed_on="perturbed"),
    ]
    usage = get_token_usage(make_run(stats))
    assert usage == TokenUsage(300 * 10 + 50 * 2 + 330 * 8, 6 * 10 + 5 * 2 + 9 * 8, 110)


def test_dry_runs_hold_plain_sums() -> None:
    stats = [stat("num_prompt_tokens", 1000, 10, split=None), stat("num_completion_tokens", 50, 10, split=None)]
    assert get_token_usage(make_run(stats)) == TokenUsage(1000, 50, 100)


@pytest.mark.parametrize(
    "stats",
    [
        [],
        [stat("num_prompt_tokens", 1), stat("num_completion_tokens", 1)],
        [stat("num_instances", 1), stat("num_prompt_tokens", 1)],
    ],
    ids=["nothing", "no number of instances", "no completions"],
)
def test_unknown_tokens_are_unknown(stats: list[dict[str, Any]]) -> None:
    assert get_token_usage(make_run(stats)) is None


def test_a_price_is_for_prompts_up_to_its_limit() -> None:
    usage = TokenUsage(2_000_000, 500_000, longest_mean_prompt=300)
    assert compute_cost_usd(usage, Price(1.5, 4)) == 5.0
    assert compute_cost_usd(usage, Price(1.5, 4, up_to_prompt_tokens=300)) == 5.0
    assert compute_cost_usd(usage, Price(1.5, 4, up_to_prompt_tokens=299)) is None


def test_an_unknown_price_is_said_and_not_zero(tmp_path: Path) -> None:
    known = [stat("num_instances", 10), stat("num_prompt_tokens", 1000), stat("num_completion_tokens", 100)]
    runs = [
        make_run(known, "lab/a", "a1"),
        make_run(known, "lab/a", "a2"),
        make_run([], "lab/a", "a3"),
        make_run(known, "lab/b", "b"),
        make_run([], "lab/c", "c"),
        make_run(known, "tools/t", "t", method="evaluate"),
    ]
    costs = compute_token_costs(runs, {"lab/a": Price(1, 10), "lab/c": Price(1, 1)}.get)
    table = create_cost_table(costs)
    assert [[cell.value for cell in row] for row in table.rows] == [
        ["lab/a", 3, 20000, 2000, 0.04, "2026-11-01"],
        ["lab/b", 1, 10000, 1000, None, None],
    ]
    shown = [row[4].display_value for row in table.rows]
    assert shown == ["$0.04 (tokens of 1 more runs unknown)", "price unknown"]
    write_token_costs(str(tmp_path), costs)
    data = json.loads((tmp_path / "token_costs.json").read_text())
    assert list(data) == ["lab/a", "lab/b", "lab/c"]
    assert data["lab/a"]["runs"]["a1"] == {"prompt_tokens": 10000, "completion_tokens": 1000, "cost_usd": 0.02}
    assert data["lab/a"]["price"]["date"] == "2026-11-01" and data["lab/b"]["price"] is None
    assert data["lab/b"]["total"] == {"prompt_tokens": 10000, "completion_tokens": 1000, "cost_usd": None}
    assert data["lab/c"]["total"]["prompt_tokens"] is None


def test_sums_of_money_are_readable() -> None:
    assert [format_usd(x) for x in (None, 0.0, 0.000123, 0.5, 1234.5)] == [
        "price unknown",
        "$0.00",
        "$0.00012",
        "$0.5",
        "$1,234.50",
    ]
