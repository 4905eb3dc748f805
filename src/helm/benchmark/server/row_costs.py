"""What the runs of a row took: the share of requests that were answered, their cost, and their time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from helm.benchmark.server.viewer import find_coverage
from helm.results.index.index_folder import RunEntry


@dataclass(frozen=True)
class RowCosts:
    """Sums over the runs of a subject."""

    answered: float | None = None
    """Share of the requests that have an answer; None if unknown."""

    usd: float | None = None
    """US dollars per 1,000 requests; None if a price or the tokens of a run are unknown."""

    seconds: float | None = None
    """Mean time of a request; None if no run knows it."""


def sum_costs(entries: Sequence[RunEntry]) -> RowCosts:
    """Return the sums over runs of one subject."""
    asked = answered = 0
    usd: float | None = 0.0
    priced = 0
    times: list[tuple[int, float]] = []
    for entry in entries:
        coverage = find_coverage(entry)
        requests = coverage["asked"] if coverage else 0
        if coverage:
            asked += requests
            answered += coverage["answered"]
        cost = cost_of(entry)
        usd = None if cost is None or usd is None else usd + cost
        priced += requests
        seconds = entry.summary.get("seconds")
        if isinstance(seconds, (int, float)) and requests:
            times.append((requests, float(seconds)))
    total = sum(count for count, _ in times)
    return RowCosts(
        answered / asked if asked else None,
        1000 * usd / priced if usd is not None and priced else None,
        math.fsum(count * seconds for count, seconds in times) / total if total else None,
    )


def cost_of(entry: RunEntry) -> float | None:
    """Return the cost of a run in US dollars; None if its tokens or their price are unknown."""
    from helm.benchmark.presentation.costs import TokenUsage, compute_cost_usd
    from helm.benchmark.price_registry import get_price

    tokens = entry.summary.get("tokens")
    price = get_price(str(entry.summary.get("deployment") or entry.subject)) if tokens else None
    return None if price is None or not tokens else compute_cost_usd(TokenUsage(*tokens), price)
