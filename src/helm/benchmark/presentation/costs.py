"""What the tokens of the summarized runs cost: tokens from the runs' statistics, prices from the catalogue.

The original's `costs.json` (`index_tables.compute_costs`) holds what dry runs estimate. Here every run counts, and
money is only named where the price of the deployment is known. Judges are not counted: runs do not record their tokens.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from helm.benchmark.presentation.table import Cell, HeaderCell, Table
from helm.benchmark.subjects import is_language_model_method
from helm.common.formats.number_text import format_usd
from helm.results.run_files.json_files import write_json
from helm.results.run_files.run_reader import Run
from helm.results.token_usage import TokenUsage, get_token_usage

TOKEN_COSTS_FILE_NAME = "token_costs.json"

_PER_TOKENS = 1_000_000


class TokenPrice(Protocol):
    """Price of a deployment's tokens, as `helm.benchmark.price_registry.Price` tells it."""

    @property
    def input(self) -> float:
        """US dollars for a million tokens of prompts."""

    @property
    def output(self) -> float:
        """US dollars for a million tokens of completions."""

    @property
    def date(self) -> Any:
        """The day for which the price is known."""

    @property
    def up_to_prompt_tokens(self) -> int | None:
        """Longer prompts cost more, and how much is not known; None: no such limit."""


GetPrice = Callable[[str], TokenPrice | None]
"""The price of a deployment; None: unknown, which is not free."""


def compute_cost_usd(usage: TokenUsage, price: TokenPrice) -> float | None:
    """US dollars for the tokens at this price; None when prompts are longer than what the price is for."""
    if price.up_to_prompt_tokens is not None and usage.longest_mean_prompt > price.up_to_prompt_tokens:
        return None
    return (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / _PER_TOKENS


@dataclass
class DeploymentCosts:
    """What the runs of one deployment took."""

    deployment: str

    runs: dict[str, TokenUsage | None] = field(default_factory=dict)
    """The tokens of each run by its name; None: its statistics do not tell."""

    price: TokenPrice | None = None
    """None: unknown."""

    @property
    def usage(self) -> TokenUsage | None:
        """Of the runs whose tokens are known; None: of no run."""
        total: TokenUsage | None = None
        for usage in self.runs.values():
            if usage is not None:
                total = usage if total is None else total + usage
        return total

    @property
    def num_runs_without_usage(self) -> int:
        """What these cost is in no sum."""
        return sum(usage is None for usage in self.runs.values())

    def cost_usd(self, usage: TokenUsage | None) -> float | None:
        """What tokens of this deployment cost; None: unknown."""
        return None if usage is None or self.price is None else compute_cost_usd(usage, self.price)


def compute_token_costs(runs: Iterable[Run], get_price: GetPrice) -> list[DeploymentCosts]:
    """One entry for each deployment, in the order of the runs. Only runs of language models have tokens."""
    found: dict[str, DeploymentCosts] = {}
    for run in runs:
        adapter_spec = run.run_spec.adapter_spec
        if not is_language_model_method(adapter_spec.method):
            continue
        deployment = adapter_spec.model_deployment or adapter_spec.model
        if deployment not in found:
            found[deployment] = DeploymentCosts(deployment, price=get_price(deployment))
        found[deployment].runs[run.run_spec.name] = get_token_usage(run)
    return list(found.values())


def create_cost_table(costs: Sequence[DeploymentCosts]) -> Table:
    """The costs for people; deployments without any known token are left out."""
    header = [
        HeaderCell("Deployment"),
        HeaderCell("Runs"),
        HeaderCell("Prompt tokens"),
        HeaderCell("Completion tokens"),
        HeaderCell(
            "Cost", description="Tokens times price. Judges are not counted, nor discounts for repeated prompts."
        ),
        HeaderCell("Price of"),
    ]
    rows = []
    for entry in costs:
        usage = entry.usage
        if usage is None:
            continue
        cost = entry.cost_usd(usage)
        shown = format_usd(cost)
        if entry.num_runs_without_usage:
            shown += f" (tokens of {entry.num_runs_without_usage} more runs unknown)"
        rows.append(
            [
                Cell(entry.deployment),
                Cell(len(entry.runs)),
                Cell(round(usage.prompt_tokens)),
                Cell(round(usage.completion_tokens)),
                Cell(cost, display_value=shown),
                Cell(None if entry.price is None else str(entry.price.date)),
            ]
        )
    return Table(title="Costs", header=header, rows=rows, name="costs")


def write_token_costs(folder: str, costs: Sequence[DeploymentCosts]) -> None:
    """Write `token_costs.json`: tokens and money by deployment and by run. Unknown is null."""
    data: dict[str, Any] = {}
    for entry in costs:
        data[entry.deployment] = {
            "price": None
            if entry.price is None
            else {
                "input_usd_per_million": entry.price.input,
                "output_usd_per_million": entry.price.output,
                "date": str(entry.price.date),
            },
            "num_runs_without_usage": entry.num_runs_without_usage,
            "total": _to_json(entry, entry.usage),
            "runs": {name: _to_json(entry, usage) for name, usage in entry.runs.items()},
        }
    write_json(os.path.join(folder, TOKEN_COSTS_FILE_NAME), data)


def _to_json(entry: DeploymentCosts, usage: TokenUsage | None) -> dict[str, Any]:
    return {
        "prompt_tokens": None if usage is None else round(usage.prompt_tokens),
        "completion_tokens": None if usage is None else round(usage.completion_tokens),
        "cost_usd": entry.cost_usd(usage),
    }
