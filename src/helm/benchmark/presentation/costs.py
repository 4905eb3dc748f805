"""What the tokens of the summarized runs cost: tokens from the runs' statistics, prices from the catalogue.

The original's `costs.json` (`index_tables.compute_costs`) holds what dry runs estimate. Here every run counts, and
money is only named where the price of the deployment is known. Judges are not counted: runs do not record their tokens.
"""

import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.presentation.json_files import write_json
from helm.benchmark.presentation.run_files import Run
from helm.benchmark.presentation.table import Cell, HeaderCell, Table

TOKEN_COSTS_FILE_NAME = "token_costs.json"

_PROMPT_METRICS = ("num_prompt_tokens",)
_COMPLETION_METRICS = ("num_completion_tokens", "num_output_tokens")
_PER_TOKENS = 1_000_000


@dataclass(frozen=True)
class TokenPrice:
    """Price of a deployment's tokens."""

    input_usd: float
    """US dollars for a million tokens of prompts."""

    output_usd: float
    """US dollars for a million tokens of completions."""


@dataclass(frozen=True)
class PriceTable:
    """Prices as they were on one day."""

    prices: Mapping[str, TokenPrice] = field(default_factory=dict)
    """By deployment; a missing one is unknown, not free."""

    date: Optional[str] = None
    """The day, YYYY-MM-DD."""


def get_catalogue_prices() -> PriceTable:
    """The prices that the catalogue knows; empty while it has none."""
    return PriceTable()


@dataclass(frozen=True)
class TokenUsage:
    """Tokens of one or more runs."""

    prompt_tokens: float

    completion_tokens: float

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens)


def get_token_usage(run: Run) -> Optional[TokenUsage]:
    """All tokens of a run, perturbed copies and trials included; None when its statistics do not tell.

    In `stats.json` a token count is the mean over the instances of a context, added up over the trials; so it is
    multiplied by the instances of that context. Dry runs hold plain sums, without a split.
    """
    instances = {_context(stat): stat.sum / stat.count for stat in run.stats_named("num_instances") if stat.count}
    prompt = _total(run, _PROMPT_METRICS, instances)
    completion = _total(run, _COMPLETION_METRICS, instances)
    return None if prompt is None or completion is None else TokenUsage(prompt, completion)


def _context(stat: Stat) -> MetricName:
    return MetricName("", split=stat.name.split, sub_split=stat.name.sub_split, perturbation=stat.name.perturbation)


def _total(run: Run, metrics: Sequence[str], instances: Mapping[MetricName, float]) -> Optional[float]:
    stats: List[Stat] = next(filter(None, map(run.stats_named, metrics)), [])
    total: Optional[float] = None
    for stat in stats:
        perturbation = stat.name.perturbation
        if perturbation is not None and perturbation.computed_on != "perturbed":
            continue  # a copy of numbers that are counted already
        if stat.name.split is None:
            share: Optional[float] = 1.0
        else:
            share = instances.get(_context(stat))
        if share is None:
            return None
        total = (total or 0.0) + stat.sum * share
    return total


def compute_cost_usd(usage: TokenUsage, price: TokenPrice) -> float:
    """US dollars for the tokens at this price."""
    return (usage.prompt_tokens * price.input_usd + usage.completion_tokens * price.output_usd) / _PER_TOKENS


@dataclass
class DeploymentCosts:
    """What the runs of one deployment took."""

    deployment: str

    usage: Optional[TokenUsage] = None
    """Of the runs whose tokens are known; None: of no run."""

    num_runs: int = 0

    num_runs_without_usage: int = 0
    """Runs whose statistics do not tell their tokens; what they cost is not in the sum."""

    cost_usd: Optional[float] = None
    """None: the price, or all tokens, are unknown."""


def compute_token_costs(runs: Iterable[Run], price_table: PriceTable) -> List[DeploymentCosts]:
    """One entry for each deployment, in the order of the runs."""
    found: Dict[str, DeploymentCosts] = {}
    for run in runs:
        deployment = run.run_spec.adapter_spec.model_deployment or run.run_spec.adapter_spec.model
        entry = found.setdefault(deployment, DeploymentCosts(deployment))
        entry.num_runs += 1
        usage = get_token_usage(run)
        if usage is None:
            entry.num_runs_without_usage += 1
        else:
            entry.usage = usage if entry.usage is None else entry.usage + usage
    for entry in found.values():
        price = price_table.prices.get(entry.deployment)
        if price is not None and entry.usage is not None:
            entry.cost_usd = compute_cost_usd(entry.usage, price)
    return list(found.values())


def format_usd(cost: Optional[float]) -> str:
    """`$1.23`, with more digits for small sums; `price unknown` for None."""
    if cost is None:
        return "price unknown"
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.2g}"


def create_cost_table(costs: Sequence[DeploymentCosts], price_table: PriceTable) -> Table:
    """The costs for people; rows without any known token are left out."""
    header = [
        HeaderCell("Deployment"),
        HeaderCell("Runs"),
        HeaderCell("Prompt tokens"),
        HeaderCell("Completion tokens"),
        HeaderCell("Cost", description="Tokens times price; judges are not counted."),
    ]
    rows = []
    for entry in costs:
        if entry.usage is None:
            continue
        shown = format_usd(entry.cost_usd)
        if entry.num_runs_without_usage:
            shown += f" (without {entry.num_runs_without_usage} of the runs, whose tokens are unknown)"
        rows.append(
            [
                Cell(entry.deployment),
                Cell(entry.num_runs),
                Cell(round(entry.usage.prompt_tokens)),
                Cell(round(entry.usage.completion_tokens)),
                Cell(entry.cost_usd, display_value=shown),
            ]
        )
    date = f" (prices of {price_table.date})" if price_table.date else ""
    return Table(title=f"Costs{date}", header=header, rows=rows, name="costs")


def write_token_costs(folder: str, costs: Sequence[DeploymentCosts], runs: Iterable[Run], table: PriceTable) -> None:
    """Write `token_costs.json`: tokens and money by deployment and by run. Unknown is null."""
    deployments: Dict[str, Any] = {}
    for entry in costs:
        price = table.prices.get(entry.deployment)
        deployments[entry.deployment] = {
            "num_runs": entry.num_runs,
            "num_runs_without_usage": entry.num_runs_without_usage,
            **_to_json(entry.usage, price),
        }
    by_run = {
        run.run_spec.name: _to_json(get_token_usage(run), table.prices.get(run.run_spec.adapter_spec.model_deployment))
        for run in runs
    }
    data = {"prices_date": table.date, "deployments": deployments, "runs": by_run}
    write_json(os.path.join(folder, TOKEN_COSTS_FILE_NAME), data)


def _to_json(usage: Optional[TokenUsage], price: Optional[TokenPrice]) -> Dict[str, Any]:
    return {
        "prompt_tokens": None if usage is None else round(usage.prompt_tokens),
        "completion_tokens": None if usage is None else round(usage.completion_tokens),
        "cost_usd": None if usage is None or price is None else compute_cost_usd(usage, price),
    }
