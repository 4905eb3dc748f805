"""Counts what the requests of this command have cost so far, and stops it at its budget."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from helm.common.budgets.budget import (
    Budget,
    BudgetExceeded,
    Spent,
    describe_spent,
    expected_completion_tokens,
    price_advice,
)
from helm.common.budgets.charges import Charge, charging, current_charge, most_tokens, num_pictures_of
from helm.common.budgets.spending_file import InFlight, SpendingFile
from helm.common.errors import ConfigError
from helm.common.request import Request, Usage

__all__ = [
    "Budget",
    "BudgetExceeded",
    "Ledger",
    "Spent",
    "describe_spent",
    "expected_completion_tokens",
    "get_ledger",
    "price_advice",
    "start_ledger",
    "use_ledger",
]

# The interval between two looks at what other processes have in flight; it is longer if many threads look.
_LOOK_S, _LONGEST_LOOK_S = 0.05, 1.0
_MILLION = 1_000_000


class Ledger:
    """Counts what was sent and what is in flight. It is used from many threads.

    With a limit on money or tokens, a request is sent if its maximum fits into the budget together with everything in flight
    in all processes. Otherwise it waits until some of that has finished. A request that is alone is sent if anything is left,
    so the budget is exceeded by at most one request.

    Args:
        budget: the limits.
        get_price: returns the price of a deployment, an object like `helm.benchmark.price_registry.Price`, or None.
        clock: a monotonic clock in seconds.
        earlier: the file that records the spending, so that all processes that do the same work share one budget.
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
        """The factors by deployment by which maxima of requests were too small, if they were."""
        self._out_of_range: dict[str, int] = {}
        """The tokens by deployment of a prompt that was longer than its price covers."""

    def paying(self, request: Request) -> AbstractContextManager[None]:
        """Make a request inside the block: what this thread sends occupies the budget until it is recorded or fails."""
        return charging(Charge(request), self._give_back)

    def _give_back(self, charge: Charge) -> None:
        if charge.is_held:
            self._settle(charge)

    def record(self, deployment: str, result: Any) -> float | None:
        """Count a `RequestResult`, which then no longer occupies the budget.

        Returns: what it costs in US dollars; None if that is unknown, or it was cached.
        """
        usage, charge = result.usage, current_charge()
        batch_share = charge.batch_share if charge is not None else None
        if charge is not None and not charge.is_held:
            charge = None
        cost = None
        num_pictures = 0 if result.cached else num_pictures_of(result)
        picture_cost = self._picture_price(deployment) * num_pictures if num_pictures else 0.0
        if picture_cost and usage is None:  # nothing but pictures is paid for
            usage = Usage(0, 0)
        if usage is not None and not result.cached:
            cost = self._cost_of(deployment, usage, batch_share)
            cost = None if cost is None else cost + picture_cost
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
            usage, cost = Usage(*charge.tokens), charge.cost  # the provider does not report it, so assume the maximum
        elif usage is not None and cost is not None and charge is not None:
            self._correct(charge, cost, usage)
        self._settle(charge, usage, cost)
        return cost

    @property
    def is_limited(self) -> bool:
        """Whether requests must fit into a budget of money or tokens."""
        return self._is_limited

    def record_all(self, deployment: str, results: Sequence[Any]) -> None:
        """Count several `RequestResult` that are answers, like `record`. For ledgers that are not limited."""
        from helm.common.telemetry.progress import current_run

        sent = [result for result in results if not result.cached]
        paid: list[tuple[Usage, float | None]] = []
        picture_price = self._picture_price(deployment) if sent else 0.0
        unpriced = 0
        for result in sent:
            usage, cost = result.usage, None
            num_pictures = num_pictures_of(result) if picture_price else 0
            if num_pictures and usage is None:
                usage = Usage(0, 0)
            if usage is not None:
                cost = self._cost_of(deployment, usage, None)
                cost = None if cost is None else cost + picture_price * num_pictures
                paid.append((usage, cost))
            unpriced += cost is None
        prompt_tokens = sum([usage.prompt_tokens for usage, _ in paid])
        completion_tokens = sum([usage.completion_tokens for usage, _ in paid])
        all_cost = sum([cost or 0.0 for _, cost in paid])
        with self._lock:
            self._cached += len(results) - len(sent)
            self._requests += len(sent)
            self._unpriced += unpriced
            self._prompt_tokens += prompt_tokens
            self._completion_tokens += completion_tokens
            self._cost += all_cost
            if paid:
                self._write(prompt_tokens, completion_tokens, all_cost)
        if paid:
            current_run().add_paid(len(paid), sum([cost is None for _, cost in paid]), all_cost)

    def note_failed_try(self, usage: Usage | None) -> None:
        """Note that this thread's last try got no answer; `usage` is what the provider counted all the same."""
        charge = current_charge()
        if charge is not None:
            self.record_failed_try(charge.deployment, usage, charge if charge.is_held else None)

    def record_failed_try(self, deployment: str, usage: Usage | None, charge: Charge | None = None) -> None:
        """Count a try that got no answer. `charge` is what it occupies of the budget, if anything."""
        cost = self._cost_of(deployment, usage, None) if usage is not None else None
        self._settle(charge, usage, cost)

    def _settle(self, charge: Charge | None, usage: Usage | None = None, cost: float | None = None) -> InFlight | None:
        """Count what was paid, and return the room that the charge occupied and that is now free."""
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
        self._in_flight = left if left.number else InFlight()  # so that rounding errors do not accumulate
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
            if price is not None:  # beyond the price's range: count the minimum, and send no more
                self._out_of_range[deployment] = usage.prompt_tokens
                unlimited = replace(price, up_to_prompt_tokens=None)
                cost = unlimited.cost(usage.prompt_tokens, usage.completion_tokens, cached_prompt, written)
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
        """Return the price of one request in US dollars; None if it is unknown.

        `batch_share` is the price of requests in a batch as a share of the usual price, if the price itself does not specify
        it; None means that the request was not part of a batch.
        """
        price = self._get_price(deployment)
        if price is None:
            return None
        cost = price.cost(prompt_tokens, completion_tokens, cached_prompt_tokens, cache_write_tokens)
        if cost is None or batch_share is None:
            return cost
        return cost * (batch_share if price.batch_share is None else price.batch_share)

    def _picture_price(self, deployment: str) -> float:
        return getattr(self._get_price(deployment), "image", None) or 0.0

    # --- what is in flight --------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Wait until this thread's request may be sent. Raises BudgetExceeded and ConfigError like `take_room`."""
        while not self.take_room():
            self.wait_for_room()

    def take_room(self, is_sent: bool = False) -> bool:
        """Return whether this thread's request may be sent now; otherwise the caller must `wait_for_room`.

        `is_sent` means that it goes to a provider, which charges for it.

        Raises:
            BudgetExceeded: A limit is reached.
            ConfigError: Money is limited and the price is unknown.
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
        """Wait for a request in flight to end, or for a moment. Raises BudgetExceeded, or KeyboardInterrupt after Ctrl-C."""
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
        """Occupy room in the budget for a request; return False if there is not enough now. Raises BudgetExceeded."""
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
                if self._file is None:
                    return False
                others = self._file.living_others_in_flight()
                if not fits():
                    return False
            self._in_flight += InFlight(cost, tokens, 1)
            self._write(0, 0, 0.0)
            if self._num_waiting:
                self._changed.notify()  # there may be room for the next one, too
        return True

    def let_go(self, cost: float, tokens: int) -> None:
        """Release what `hold` occupied."""
        with self._lock:
            self._free(InFlight(cost, tokens, 1))
            self._write(0, 0, 0.0)

    def _estimate(self, charge: Charge, is_sent: bool) -> None:
        """Set the maxima of a charge. Raises ConfigError if money is limited and the price is unknown."""
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
        charge.cost += self._picture_price(charge.deployment) * charge.request.num_completions

    def reserve(self, name: str, cost: float, tokens: int) -> None:
        """Count the estimated cost of something that is paid later, until `release`."""
        with self._lock:
            self._reserved[name] = (cost, tokens)
            if self._is_limited:
                self._write(0, 0, 0.0)

    def release(self, name: str) -> None:
        """Stop counting an estimate: `record` counts the actual cost from now on."""
        with self._lock:
            if self._reserved.pop(name, None) is not None and self._is_limited:
                self._write(0, 0, 0.0)
            self._changed.notify_all()

    def _sum_reserved(self) -> tuple[float, int]:
        reserved = list(self._reserved.values())
        return sum(cost for cost, _ in reserved), sum(tokens for _, tokens in reserved)

    def check_room(self, cost: float, tokens: int) -> None:
        """Raise BudgetExceeded if this much more would exceed the budget."""
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
        """Return dollars and tokens of all processes, as far as the file was read, with estimates for batches."""
        cost, tokens = self._totals()
        reserved_cost, reserved_tokens = self._sum_reserved()
        return cost + reserved_cost, tokens + reserved_tokens

    def all_spent(self) -> tuple[float, int]:
        """Return the dollars and tokens of all processes that share the budget."""
        if self._file is not None:
            self._file.refresh()
        return self._totals()

    def _totals(self) -> tuple[float, int]:
        cost, tokens = self._cost, self._prompt_tokens + self._completion_tokens
        if self._file is not None:
            cost, tokens = max(cost, self._file.cost), max(tokens, self._file.tokens)
        return cost, tokens

    def check_used_up(self) -> None:
        """Raise BudgetExceeded if the money or the tokens are used up, without occupying room for a request."""
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
        """Return the same error with present figures: requests in flight at the time have been paid since."""
        try:
            self.check_used_up()
        except BudgetExceeded as e:
            return e
        return error

    def check_time(self) -> None:
        """Raise BudgetExceeded if the time is over."""
        max_seconds = self.budget.max_seconds
        if max_seconds is not None and self._clock() - self._started >= max_seconds:
            raise BudgetExceeded(f"{self._clock() - self._started:.0f} s have passed; --max-time is {max_seconds:g} s.")

    def add(self, spent: Spent) -> None:
        """Count what another process has spent.

        Its seconds are not added up: the command is as old as its oldest part.
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
        """Record what another process has spent."""
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
    """Return the ledger of this command."""
    return _ledger


def start_ledger(budget: Budget, get_price: Callable[[str], Any], earlier: SpendingFile | None = None) -> Ledger:
    """Start a new ledger with a budget, and with what `earlier` has recorded."""
    global _ledger
    _ledger = Ledger(budget, get_price, earlier=earlier)
    return _ledger


def use_ledger(ledger: Ledger) -> None:
    """Count in this ledger from now on."""
    global _ledger
    _ledger = ledger
