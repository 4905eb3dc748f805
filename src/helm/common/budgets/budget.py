"""Budgets, what was spent of them, and what is said of both."""

from dataclasses import dataclass

from helm.common.errors import HelmError

# `max_tokens` is mostly set generously: on average, free-text answers use about a quarter of it.
_EXPECTED_SHARE = 0.25
# Completions with at most this many tokens (labels, numbers) are expected to use all of them.
_SHORT_COMPLETION = 16


class BudgetExceeded(HelmError):
    """No more requests may be sent. Those in flight are still completed and kept."""


@dataclass(frozen=True)
class Budget:
    """The limits of a command; None sets no limit."""

    max_cost: float | None = None
    """The limit in US dollars."""

    max_tokens: int | None = None
    """The limit of tokens of prompts and completions together."""

    max_seconds: float | None = None
    """The limit of wall time in seconds, from the creation of the ledger."""


@dataclass(frozen=True)
class Spent:
    """The totals at one moment. Answers from the cache cost nothing and are counted separately."""

    requests: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    """The cost in US dollars of deployments with a known price."""
    unpriced_requests: int
    """The number of requests with an unknown price, or whose tokens the provider did not count."""
    outcomes: dict[str, int]
    """The number of failed requests by outcome."""
    seconds: float

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def expected_completion_tokens(max_tokens: int) -> float:
    """Estimate the length of a completion from its maximum alone: a quarter of it, unless it is short."""
    return max_tokens if max_tokens <= _SHORT_COMPLETION else max_tokens * _EXPECTED_SHARE


def price_advice(deployment: str) -> str:
    """Return advice for a deployment without a known price."""
    return (
        f"Give it with --price {deployment}=IN,OUT (dollars per million tokens), or in prices.yaml of the folder given with "
        "--local-path; or use --max-tokens-total."
    )


def describe_spent(spent: Spent) -> str:
    """Describe the totals, for example `1,204 requests (310 from the cache), 900,000 + 300,000 tokens, $3.4100`."""
    parts = [f"{spent.requests + spent.cached:,} requests ({spent.cached:,} from the cache)"]
    if spent.tokens:
        parts.append(f"{spent.prompt_tokens:,} + {spent.completion_tokens:,} tokens")
    if spent.cost:
        parts.append(f"${spent.cost:.4f}")
    failures = ", ".join(f"{count} {outcome}" for outcome, count in sorted(spent.outcomes.items()))
    return ", ".join(parts) + (f"; failed: {failures}" if failures else "")
