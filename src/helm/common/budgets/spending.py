"""What the requests of this command have cost so far, and where it is to stop."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from helm.common.budgets.charges import Charge, charging, current_charge, most_tokens
from helm.common.budgets.spending_file import InFlight, SpendingFile
from helm.common.errors import ConfigError, HelmError
from helm.common.request import Request, Usage

_LOOK_S, _LONGEST_LOOK_S = 0.05, 1.0
"""Between two looks at what other processes have in flight; longer where many threads look."""
_MILLION = 1_000_000
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

    max_cost: float | None = None
    """US dollars."""

    max_tokens: int | None = None
    """Tokens of prompts and completions together."""

    max_seconds: float | None = None
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
    outcomes: dict[str, int]
    """Failed requests by outcome."""
    seconds: float

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Ledger:
    """Counts what was sent, and what is on its way. Used from many threads.

    With a limit on money or tokens a request goes when the most that it may take fits in beside all that is in flight, of
    whatever process. What does not fit waits until something of that is over. A request that is alone goes when anything is
    left, so the budget is exceeded by one request at the most.

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
        earlier: SpendingFile | None = None,
    ):
        self.budget = budget
        self.file = self._file = earlier
        self._is_limited = budget.max_cost is not None or budget.max_tokens is not None
        self._get_price = get_price
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._num_waiting = 0
        self._requests = self._cached = self._prompt_tokens = self._completion_tokens = self._unpriced = 0
        self._cost = 0.0
        self._outcomes: Counter = Counter()
        self._reserved: dict[str, tuple[float, int]] = {}
        self._in_flight = InFlight()
        self._corrections: dict[str, float] = {}
        """Deployment -> by how much what a request may take was too small, where it was."""
        self._out_of_range: dict[str, int] = {}
        """Deployment -> tokens of a prompt that was longer than its price holds for."""

    def paying(self, request: Request) -> AbstractContextManager[None]:
        """Inside, this thread makes the request: what it sends takes room in the budget, until it is recorded or fails."""
        return charging(Charge(request), self._give_back)

    def _give_back(self, charge: Charge) -> None:
        if charge.is_held:
            self._settle(charge)

    def record(self, deployment: str, result: Any) -> None:
        """Count a `RequestResult`. It takes no room in the budget any more."""
        usage, charge = result.usage, current_charge()
        batch_share = charge.batch_share if charge is not None else None
        if charge is not None and not charge.is_held:
            charge = None
        cost = None
        if usage is not None and not result.cached:
            cost = self._cost_of(deployment, usage, batch_share)
        with self._lock:
            if not result.success:
                self._outcomes[result.outcome or "unknown"] += 1
            elif result.cached:
                self._cached += 1
            else:
                self._requests += 1
                self._unpriced += cost is None
        if result.cached:
            usage = cost = None
        elif usage is None and result.success and charge is not None and charge.is_sent:
            usage, cost = Usage(*charge.tokens), charge.cost  # the provider does not say, so it is taken for the most
        elif usage is not None and cost is not None and charge is not None:
            self._correct(charge, cost, usage)
        self._settle(charge, usage, cost)

    def note_failed_try(self, usage: Usage | None) -> None:
        """The try that this thread has just made brought no answer; `usage` is what the provider counts all the same."""
        charge = current_charge()
        if charge is not None:
            cost = self._cost_of(charge.deployment, usage, None) if usage is not None else None
            self._settle(charge if charge.is_held else None, usage, cost)

    def _settle(self, charge: Charge | None, usage: Usage | None = None, cost: float | None = None) -> InFlight | None:
        """Count what was paid, and give back the room of the charge; returns that room."""
        if charge is None and usage is None:
            return None
        from helm.common.telemetry.progress import current_run

        freed = None
        prompt_tokens, completion_tokens = (0, 0) if usage is None else (usage.prompt_tokens, usage.completion_tokens)
        with self._lock:
            self._prompt_tokens += prompt_tokens
            self._completion_tokens += completion_tokens
            self._cost += cost or 0.0
            if charge is not None:
                charge.is_held = False
                freed = InFlight(charge.cost, sum(charge.tokens), 1)
                self._free(freed)
            self._write(prompt_tokens, completion_tokens, cost or 0.0)
        if usage is not None:
            current_run().pay(cost)
        return freed

    def _free(self, freed: InFlight) -> None:
        now = self._in_flight
        left = InFlight(now.cost - freed.cost, now.tokens - freed.tokens, now.number - freed.number)
        self._in_flight = left if left.number else InFlight()  # without errors of rounding
        if self._num_waiting:
            self._changed.notify()

    def _write(self, prompt_tokens: int, completion_tokens: int, cost: float) -> None:
        if self._file is not None:
            in_flight = self._in_flight
            if self._reserved and self._is_limited:
                in_flight += InFlight(*self._sum_reserved())
            self._file.add(prompt_tokens, completion_tokens, cost, in_flight)

    def _correct(self, charge: Charge, cost: float, usage: Usage) -> None:
        ratios = [cost / charge.cost if charge.cost else 0.0]
        ratios.append((usage.prompt_tokens + usage.completion_tokens) / max(1, sum(charge.tokens)))
        if max(ratios) > 1:
            known = self._corrections.get(charge.deployment, 1.0)
            self._corrections[charge.deployment] = known * max(ratios)

    def _cost_of(self, deployment: str, usage: Usage, batch_share: float | None) -> float | None:
        cached_prompt = min(usage.cached_prompt_tokens or 0, usage.prompt_tokens)
        written = min(usage.cache_write_tokens or 0, usage.prompt_tokens - cached_prompt)
        counts = (usage.prompt_tokens, usage.completion_tokens, batch_share, cached_prompt, written)
        cost = self.cost(deployment, *counts)
        if cost is None and self.budget.max_cost is not None:
            price = self._get_price(deployment)
            if price is not None:  # beyond the range of the price: the least that it is, and nothing more is sent
                self._out_of_range[deployment] = usage.prompt_tokens
                cost = _without_range(price).cost(usage.prompt_tokens, usage.completion_tokens, cached_prompt, written)
        return cost

    def cost(
        self,
        deployment: str,
        prompt_tokens: int,
        completion_tokens: int,
        batch_share: float | None = None,
        cached_prompt_tokens: int = 0,
        cache_write_tokens: int = 0,
    ) -> float | None:
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

    def check(self) -> None:
        """Wait until the request of this thread may be sent. Raises: BudgetExceeded, when something is used up; ConfigError."""
        while not self.take_room():
            self.wait_for_room()

    def take_room(self, is_sent: bool = False) -> bool:
        """Whether the request of this thread may be sent now; else one has to wait: `wait_for_room`.

        `is_sent`: to a provider, which charges for it.
        Raises: BudgetExceeded, when something is used up; ConfigError, when money is limited and the price is not known.
        """
        if not self._is_limited:
            self.check_time()
            return True
        charge = current_charge()
        if charge is None:
            self.check_used_up()
            return True
        if charge.is_held:
            return True
        self._estimate(charge, is_sent)
        if not self.hold(charge.cost, sum(charge.tokens)):
            return False
        charge.is_held = True
        return True

    def wait_for_room(self) -> None:
        """Until something in flight is over, or for a moment. Raises: BudgetExceeded; KeyboardInterrupt after Ctrl-C."""
        from helm.common.concurrency import is_stop_requested

        with self._changed:
            self._num_waiting += 1
            try:
                self._changed.wait(min(_LONGEST_LOOK_S, _LOOK_S * self._num_waiting))
            finally:
                self._num_waiting -= 1
        if is_stop_requested():
            raise KeyboardInterrupt
        self.check_time()

    def hold(self, cost: float, tokens: int) -> bool:
        """Take so much room for a request; False: there is not enough now. Raises: BudgetExceeded."""
        budget = self.budget
        with self._lock, self._file.deciding() if self._file is not None else nullcontext():
            spent_cost, spent_tokens = self._count_spent()
            others = self._file.others_in_flight() if self._file is not None else InFlight()

            def fits() -> bool:
                all_held = self._in_flight + others
                if budget.max_cost is not None and spent_cost + all_held.cost + cost > budget.max_cost:
                    return all_held.number == 0
                if budget.max_tokens is not None and spent_tokens + all_held.tokens + tokens > budget.max_tokens:
                    return all_held.number == 0
                return True

            self._raise_if_used_up(spent_cost, spent_tokens)
            if not fits():
                if self._file is None or others == InFlight():
                    return False
                others = self._file.living_others_in_flight()
                if not fits():
                    return False
            self._in_flight += InFlight(cost, tokens, 1)
            self._write(0, 0, 0.0)
            if self._num_waiting:
                self._changed.notify()  # there may be room for the next one too
        return True

    def let_go(self, cost: float, tokens: int) -> None:
        """Give back what `hold` took."""
        with self._lock:
            self._free(InFlight(cost, tokens, 1))
            self._write(0, 0, 0.0)

    def _estimate(self, charge: Charge, is_sent: bool) -> None:
        """Raises: ConfigError."""
        prompt_tokens, completion_tokens = most_tokens(charge.request)
        correction = self._corrections.get(charge.deployment, 1.0)
        charge.is_sent = is_sent
        charge.tokens = (round(prompt_tokens * correction), round(completion_tokens * correction))
        price = self._get_price(charge.deployment)
        if price is None:
            if is_sent and self.budget.max_cost is not None:
                raise ConfigError(
                    f"--max-cost: no price is known for '{charge.deployment}'. {price_advice(charge.deployment)}"
                )
            return
        num_read = self._out_of_range.get(charge.deployment)
        if self.budget.max_cost is not None and num_read is not None:
            raise ConfigError(
                f"--max-cost: a prompt for '{charge.deployment}' had {num_read:,} tokens, and its price is known for up to "
                f"{price.up_to_prompt_tokens:,} only. {price_advice(charge.deployment)}"
            )
        dearest = max(price.input, price.cache_write or 0.0)
        charge.cost = (charge.tokens[0] * dearest + charge.tokens[1] * price.output) / _MILLION

    def reserve(self, name: str, cost: float, tokens: int) -> None:
        """Count what something that is paid later will roughly take, until `release`."""
        with self._lock:
            self._reserved[name] = (cost, tokens)
            if self._is_limited:
                self._write(0, 0, 0.0)

    def release(self, name: str) -> None:
        """What it took in truth is counted by `record` from now on."""
        with self._lock:
            if self._reserved.pop(name, None) is not None and self._is_limited:
                self._write(0, 0, 0.0)
            self._changed.notify_all()

    def _sum_reserved(self) -> tuple[float, int]:
        reserved = list(self._reserved.values())
        return sum(cost for cost, _ in reserved), sum(tokens for _, tokens in reserved)

    def check_room(self, cost: float, tokens: int) -> None:
        """Raises: BudgetExceeded when so much more would be beyond the budget."""
        budget = self.budget
        with self._lock, self._file.deciding() if self._file is not None else nullcontext():
            all_cost, all_tokens = self._count_spent()
            held = self._in_flight
            if self._file is not None:
                held += self._file.living_others_in_flight()
            all_cost, all_tokens = all_cost + held.cost + cost, all_tokens + held.tokens + tokens
        if budget.max_cost is not None and all_cost > budget.max_cost:
            raise BudgetExceeded(
                f"The next batch would bring the cost to roughly ${all_cost:.4f}, and --max-cost is {budget.max_cost:g}."
            )
        if budget.max_tokens is not None and all_tokens > budget.max_tokens:
            raise BudgetExceeded(
                f"The next batch would bring the tokens to roughly {all_tokens:,}, and --max-tokens-total is "
                f"{budget.max_tokens:,}."
            )

    def _count_spent(self) -> tuple[float, int]:
        """Dollars and tokens, of all processes as far as the file was read, with what batches will roughly take."""
        cost, tokens = self._totals()
        reserved_cost, reserved_tokens = self._sum_reserved()
        return cost + reserved_cost, tokens + reserved_tokens

    def all_spent(self) -> tuple[float, int]:
        """Dollars and tokens, of all processes that share the budget."""
        if self._file is not None:
            self._file.refresh()
        return self._totals()

    def _totals(self) -> tuple[float, int]:
        cost, tokens = self._cost, self._prompt_tokens + self._completion_tokens
        if self._file is not None:
            cost, tokens = max(cost, self._file.cost), max(tokens, self._file.tokens)
        return cost, tokens

    def check_used_up(self) -> None:
        """Raises: BudgetExceeded when the money or the tokens are used up. Nothing is held for a request."""
        if self._file is not None:
            self._file.refresh()
        with self._lock:
            self._raise_if_used_up(*self._count_spent())

    def _raise_if_used_up(self, cost: float, tokens: int) -> None:
        budget, before = self.budget, ""
        if self._file is not None and self._file.tokens > self._prompt_tokens + self._completion_tokens:
            before = f" (some of it by other processes that did the same; {self._file.path} knows)"
        message = None
        if budget.max_cost is not None and cost >= budget.max_cost:
            message = f"${cost:.4f} are spent{before}, and --max-cost is {budget.max_cost:g}."
        elif budget.max_tokens is not None and tokens >= budget.max_tokens:
            message = f"{tokens:,} tokens are used{before}, and --max-tokens-total is {budget.max_tokens:,}."
        if message is not None:
            self._changed.notify_all()
            raise BudgetExceeded(message)
        self.check_time()

    def reason(self, error: BudgetExceeded) -> BudgetExceeded:
        """The same with the figures of now: requests that were in flight then have been paid since."""
        try:
            self.check_used_up()
        except BudgetExceeded as e:
            return e
        return error

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

    def note(self, spent: Spent) -> None:
        """Write down what was spent elsewhere."""
        if self._file is not None:
            with self._lock:
                self._file.add(spent.prompt_tokens, spent.completion_tokens, spent.cost, self._in_flight)

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


def start_ledger(budget: Budget, get_price: Callable[[str], Any], earlier: SpendingFile | None = None) -> Ledger:
    """Begin to count anew, with a budget, and with what `earlier` has."""
    global _ledger
    _ledger = Ledger(budget, get_price, earlier=earlier)
    return _ledger


def use_ledger(ledger: Ledger) -> None:
    """Count in this one from now on."""
    global _ledger
    _ledger = ledger


def price_advice(deployment: str) -> str:
    """What to do where a price is not known."""
    return (
        f"Give it with --price {deployment}=IN,OUT (dollars per million tokens), or in prices.yaml of the folder given with "
        "--local-path; or use --max-tokens-total."
    )


def _without_range(price: Any) -> Any:
    """The price for prompts of any length."""
    return replace(price, up_to_prompt_tokens=None)


def describe_spent(spent: Spent) -> str:
    """`1,204 requests (310 from the cache), 1.2M tokens, $3.41`"""
    parts = [f"{spent.requests + spent.cached:,} requests ({spent.cached:,} from the cache)"]
    if spent.tokens:
        parts.append(f"{spent.prompt_tokens:,} + {spent.completion_tokens:,} tokens")
    if spent.cost:
        parts.append(f"${spent.cost:.4f}")
    failures = ", ".join(f"{count} {outcome}" for outcome, count in sorted(spent.outcomes.items()))
    return ", ".join(parts) + (f"; failed: {failures}" if failures else "")
