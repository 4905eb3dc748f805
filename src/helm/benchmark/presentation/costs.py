"""Computes the cost of the summarized runs: tokens from the runs' statistics, prices from the catalogue.

HELM's `costs.json` (`index_tables.compute_costs`) contains the estimates of dry runs. Here every run counts, and money
is only given where the price of the deployment is known. Judges are not included: runs do not record their tokens.
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

# Providers publish prices per million tokens.
_PER_TOKENS = 1_000_000


class TokenPrice(Protocol):
    """The price of a deployment's tokens, as in `helm.benchmark.price_registry.Price`."""

    @property
    def input(self) -> float:
        """US dollars per million prompt tokens."""

    @property
    def output(self) -> float:
        """US dollars per million completion tokens."""

    @property
    def date(self) -> Any:
        """The date on which the price was checked."""

    @property
    def up_to_prompt_tokens(self) -> int | None:
        """Longer prompts cost more, by an unrecorded amount. None if there is no such limit."""


GetPrice = Callable[[str], TokenPrice | None]
"""Returns the price of a deployment, or None if it is unknown, which does not mean free."""


def compute_cost_usd(usage: TokenUsage, price: TokenPrice) -> float | None:
    """Return the price of the tokens in US dollars; None if prompts exceed the limit of the price."""
    if price.up_to_prompt_tokens is not None and usage.longest_mean_prompt > price.up_to_prompt_tokens:
        return None
    return (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / _PER_TOKENS


@dataclass
class DeploymentCosts:
    """What the runs of one deployment used."""

    deployment: str

    runs: dict[str, TokenUsage | None] = field(default_factory=dict)
    """Maps the name of each run to its tokens. None if its statistics lack them."""

    price: TokenPrice | None = None
    """None if unknown."""

    @property
    def usage(self) -> TokenUsage | None:
        """The sum over runs with known tokens. None if there is no such run."""
        total: TokenUsage | None = None
        for usage in self.runs.values():
            if usage is not None:
                total = usage if total is None else total + usage
        return total

    @property
    def num_runs_without_usage(self) -> int:
        """Number of runs whose cost is missing from every sum."""
        return sum(usage is None for usage in self.runs.values())

    def cost_usd(self, usage: TokenUsage | None) -> float | None:
        """The cost of this deployment's tokens in US dollars. None if unknown."""
        return None if usage is None or self.price is None else compute_cost_usd(usage, self.price)


def compute_token_costs(runs: Iterable[Run], get_price: GetPrice) -> list[DeploymentCosts]:
    """Return one entry per deployment, in the order of the runs. Only runs of language models have tokens."""
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
    """Return the cost table for people; deployments without known tokens are left out."""
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
    """Write `token_costs.json`: tokens and money per deployment and per run. Unknown values are null."""
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
