"""What the requests of this command have cost so far, and where it is to stop."""

import threading
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple

from helm.common.errors import HelmError
from helm.common.spending_file import SpendingFile

_EXPECTED_SHARE = 0.25
_SHORT_COMPLETION = 16
"""Completions of at most so many tokens are expected to use all of them."""


def expected_completion_tokens(max_tokens: int) -> float:
    """How long a completion will be of which nothing is known but how long it may be: a quarter of that."""
    return max_tokens if max_tokens <= _SHORT_COMPLETION else max_tokens * _EXPECTED_SHARE


class BudgetExceeded(HelmError):
    """Nothing more may be sent. What is in flight is still waited for and kept."""


@dataclass(frozen=True)
class Budget:
    """Where to stop; None: nowhere."""

    max_cost: Optional[float] = None
    """US dollars."""

    max_tokens: Optional[int] = None
    """Tokens of prompts and completions together."""

    max_seconds: Optional[float] = None
    """Of wall time, from the making of the ledger."""


@dataclass(frozen=True)
class Spent:
    """A moment's totals. Answers from the cache cost nothing and are counted apart."""

    requests: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    """US dollars, of the deployments whose price is known."""
    unpriced_requests: int
    """Requests whose price is not known, or whose tokens the provider did not count."""
    outcomes: Dict[str, int]
    """Failed requests by outcome."""
    seconds: float

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Ledger:
    """Counts what was sent. `check` is asked before every request, from many threads.

    Args:
        budget: where to stop.
        get_price: the price of a deployment, an object like `helm.benchmark.price_registry.Price`, or None.
        clock: seconds that only grow.
        earlier: where this is written down, so that a budget is one for all processes that do the same work.
    """

    def __init__(
        self,
        budget: Budget = Budget(),
        get_price: Callable[[str], Any] = lambda deployment: None,
        clock: Callable[[], float] = time.monotonic,
        earlier: Optional[SpendingFile] = None,
    ):
        self.budget = budget
        self.file = self._file = earlier
        self._get_price = get_price
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._requests = self._cached = self._prompt_tokens = self._completion_tokens = self._unpriced = 0
        self._cost = 0.0
        self._outcomes: Counter = Counter()
        self._reserved: Dict[str, Tuple[float, int]] = {}

    def record(self, deployment: str, result: Any, batch_share: Optional[float] = None) -> None:
        """Count a `RequestResult`; for `batch_share` see `cost`."""
        usage = result.usage
        cost = None
        if usage is not None and not result.cached:
            cached_prompt = min(usage.cached_prompt_tokens or 0, usage.prompt_tokens)
            written = min(usage.cache_write_tokens or 0, usage.prompt_tokens - cached_prompt)
            cost = self.cost(
                deployment, usage.prompt_tokens, usage.completion_tokens, batch_share, cached_prompt, written
            )
        with self._lock:
            if not result.success:
                self._outcomes[result.outcome or "unknown"] += 1
                return
            if result.cached:
                self._cached += 1
                return
            self._requests += 1
            if usage is not None:
                self._prompt_tokens += usage.prompt_tokens
                self._completion_tokens += usage.completion_tokens
            if cost is None:
                self._unpriced += 1
            else:
                self._cost += cost
        if self._file is not None and usage is not None:
            self._file.add(usage.prompt_tokens, usage.completion_tokens, cost or 0.0)

    def cost(
        self,
        deployment: str,
        prompt_tokens: int,
        completion_tokens: int,
        batch_share: Optional[float] = None,
        cached_prompt_tokens: int = 0,
        cache_write_tokens: int = 0,
    ) -> Optional[float]:
        """US dollars for one request; None: the price is not known.

        `batch_share` is what the provider takes for requests that come with a batch, as a share of the usual price, where
        the price itself does not say; None: it came by itself.
        """
        price = self._get_price(deployment)
        if price is None:
            return None
        cost = price.cost(prompt_tokens, completion_tokens, cached_prompt_tokens, cache_write_tokens)
        if cost is None or batch_share is None:
            return cost
        return cost * (batch_share if price.batch_share is None else price.batch_share)

    # --- what is on its way -------------------------------------------------------------------------------------------

    def reserve(self, name: str, cost: float, tokens: int) -> None:
        """Count what something that is paid later will roughly take, until `release`."""
        with self._lock:
            self._reserved[name] = (cost, tokens)

    def release(self, name: str) -> None:
        """What it took in truth is counted by `record` from now on."""
        with self._lock:
            self._reserved.pop(name, None)

    def check_room(self, cost: float, tokens: int) -> None:
        """Raises: BudgetExceeded when so much more would be beyond the budget."""
        budget = self.budget
        with self._lock:
            all_cost = self._cost + cost + sum(reserved for reserved, _ in self._reserved.values())
            all_tokens = self._prompt_tokens + self._completion_tokens + tokens
            all_tokens += sum(reserved for _, reserved in self._reserved.values())
        if budget.max_cost is not None and all_cost > budget.max_cost:
            raise BudgetExceeded(
                f"The next batch would bring the cost to roughly ${all_cost:.4f}, and --max-cost is {budget.max_cost:g}."
            )
        if budget.max_tokens is not None and all_tokens > budget.max_tokens:
            raise BudgetExceeded(
                f"The next batch would bring the tokens to roughly {all_tokens:,}, and --max-tokens-total is "
                f"{budget.max_tokens:,}."
            )

    def check(self) -> None:
        """Raises: BudgetExceeded when something is used up."""
        budget = self.budget
        cost, tokens, before = self._cost, self._prompt_tokens + self._completion_tokens, ""
        if self._file is not None:
            self._file.refresh()
            if self._file.tokens > tokens:
                before = f" (some of it by other processes that did the same; {self._file.path} knows)"
            cost, tokens = max(cost, self._file.cost), max(tokens, self._file.tokens)
        if self._reserved:
            with self._lock:
                cost += sum(reserved for reserved, _ in self._reserved.values())
                tokens += sum(reserved for _, reserved in self._reserved.values())
        if budget.max_cost is not None and cost >= budget.max_cost:
            raise BudgetExceeded(f"${cost:.4f} are spent{before}, and --max-cost is {budget.max_cost:g}.")
        if budget.max_tokens is not None and tokens >= budget.max_tokens:
            raise BudgetExceeded(
                f"{tokens:,} tokens are used{before}, and --max-tokens-total is {budget.max_tokens:,}."
            )
        self.check_time()

    def check_time(self) -> None:
        """Raises: BudgetExceeded when the time is over."""
        max_seconds = self.budget.max_seconds
        if max_seconds is not None and self._clock() - self._started >= max_seconds:
            raise BudgetExceeded(f"{self._clock() - self._started:.0f} s have passed; --max-time is {max_seconds:g} s.")

    def add(self, spent: Spent) -> None:
        """Count what was spent elsewhere, in another process. Its seconds are not added up: the command is as old as the
        oldest part of it.
        """
        with self._lock:
            self._requests += spent.requests
            self._cached += spent.cached
            self._prompt_tokens += spent.prompt_tokens
            self._completion_tokens += spent.completion_tokens
            self._cost += spent.cost
            self._unpriced += spent.unpriced_requests
            self._outcomes.update(spent.outcomes)
            self._started = min(self._started, self._clock() - spent.seconds)

    def spent(self) -> Spent:
        with self._lock:
            return Spent(
                self._requests,
                self._cached,
                self._prompt_tokens,
                self._completion_tokens,
                self._cost,
                self._unpriced,
                dict(self._outcomes),
                self._clock() - self._started,
            )


_ledger = Ledger()


def get_ledger() -> Ledger:
    """That of this command."""
    return _ledger


def start_ledger(budget: Budget, get_price: Callable[[str], Any], earlier: Optional[SpendingFile] = None) -> Ledger:
    """Begin to count anew, with a budget, and with what `earlier` has."""
    global _ledger
    _ledger = Ledger(budget, get_price, earlier=earlier)
    return _ledger


def use_ledger(ledger: Ledger) -> None:
    """Count in this one from now on."""
    global _ledger
    _ledger = ledger


def describe_spent(spent: Spent) -> str:
    """`1,204 requests (310 from the cache), 1.2M tokens, $3.41`"""
    parts = [f"{spent.requests + spent.cached:,} requests ({spent.cached:,} from the cache)"]
    if spent.tokens:
        parts.append(f"{spent.prompt_tokens:,} + {spent.completion_tokens:,} tokens")
    if spent.cost:
        parts.append(f"${spent.cost:.4f}")
    failures = ", ".join(f"{count} {outcome}" for outcome, count in sorted(spent.outcomes.items()))
    return ", ".join(parts) + (f"; failed: {failures}" if failures else "")
