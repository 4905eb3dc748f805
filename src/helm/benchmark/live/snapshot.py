"""The state of a command so far, as one value."""

import os
import time
from collections import deque
from collections.abc import Callable

from helm.clients.pacing.limiter import all_limiters
from helm.common.budgets.spending import Budget, Spent, get_ledger
from helm.common.telemetry.progress import DONE, FAILED, RUNNING, SKIPPED, STOPPED, CommandProgress
from helm.common.telemetry.progress_report import (
    STOPPING,
    BudgetReport,
    CommandReport,
    CostReport,
    EndpointReport,
    EtaReport,
    RateReport,
    RunReport,
    TokensReport,
)

# Long enough to smooth bursts of answers, short enough to follow a change of speed.
_WINDOW_S = 30.0
_SHORTEST_SAMPLE_S = 2.0
_OVER = (DONE, SKIPPED, FAILED, STOPPED)


class Snapshots:
    """Creates a `CommandReport` on request, and keeps half a minute of them to compute rates.

    Args:
        progress: the command's progress.
        program: name of the command.
        get_endpoints: returns the state of the limiters; by default those of this process.
        get_spent: returns tokens and money; by default what this process counts.
        clock: returns seconds since 1970.
    """

    def __init__(
        self,
        progress: CommandProgress,
        program: str,
        get_endpoints: Callable[[], list[EndpointReport]] | None = None,
        get_spent: Callable[[], Spent] | None = None,
        clock: Callable[[], float] = time.time,
    ):
        self.progress, self.program = progress, program
        self._host, self._pid = os.uname().nodename, os.getpid()
        self._clock = clock
        self._get_endpoints = get_endpoints or (lambda: endpoint_reports(clock()))
        self._get_spent = get_spent or (lambda: get_ledger().spent())
        self._samples: deque[tuple[float, int, int]] = deque()

    def take(self, state: str | None = None, message: str | None = None) -> CommandReport:
        """Return the current report. With `state`, the command is over, for the reason `message`."""
        now = self._clock()
        runs = [run.report() for run in self.progress.runs]
        spent = self._get_spent()
        rate = self._rate(now, sum(run.done - run.resumed for run in runs), spent.tokens)
        is_over = state is not None
        errors: dict[str, int] = {}
        for run in runs:
            if run.error_type is not None:
                errors[run.error_type] = errors.get(run.error_type, 0) + 1
        return CommandReport(
            program=self.program,
            host=self._host,
            pid=self._pid,
            state=state or (STOPPING if self.progress.is_stopping else RUNNING),
            started_at=self.progress.started_at,
            updated_at=now,
            ended_at=now if is_over else None,
            runs=runs,
            rate=rate,
            tokens=TokensReport(spent.prompt_tokens, spent.completion_tokens),
            cost=CostReport(spent.cost, spent.unpriced_requests),
            budget=budget_left(get_ledger().budget, spent, *get_ledger().all_spent()),
            failures=spent.outcomes,
            errors=errors,
            endpoints=self._get_endpoints(),
            eta=None if is_over else estimate_time_left(runs, rate),
            message=message,
        )

    def _rate(self, now: float, num_done: int, num_tokens: int) -> RateReport | None:
        samples = self._samples
        if not samples:
            samples.append((self.progress.started_at, 0, 0))
        samples.append((now, num_done, num_tokens))
        while len(samples) > 2 and samples[1][0] <= now - _WINDOW_S:
            samples.popleft()
        since, done_then, tokens_then = samples[0]
        window_s = now - since
        if window_s <= 0:
            return None
        return RateReport(window_s, (num_done - done_then) / window_s, (num_tokens - tokens_then) / window_s)


def budget_left(budget: Budget, spent: Spent, all_cost: float, all_tokens: int) -> BudgetReport:
    """Return the limits and what is left of them, never below 0, given what all processes together have spent."""
    cost, tokens, seconds = budget.max_cost, budget.max_tokens, budget.max_seconds
    return BudgetReport(
        max_cost_usd=cost,
        cost_left_usd=None if cost is None else max(0.0, cost - max(all_cost, spent.cost)),
        max_tokens=tokens,
        tokens_left=None if tokens is None else max(0, tokens - max(all_tokens, spent.tokens)),
        max_seconds=seconds,
        seconds_left=None if seconds is None else max(0.0, seconds - spent.seconds),
    )


def endpoint_reports(now: float) -> list[EndpointReport]:
    """Return reports about endpoints to which this process has sent requests, or wants to."""
    reports = []
    for endpoint, limiter in all_limiters():
        if limiter.num_sent == 0 and limiter.num_waiting == 0:
            continue
        paused_for_s = limiter.paused_for_s
        stop_reason = limiter.stop_reason
        reports.append(
            EndpointReport(
                endpoint=endpoint,
                window=limiter.window,
                in_flight=limiter.in_flight,
                waiting=limiter.num_waiting,
                sent=limiter.num_sent,
                rejected=limiter.num_rejected,
                requests_per_s=limiter.rate,
                retrying=limiter.num_retrying,
                failed_tries=dict(limiter.failed_tries),
                retry_at=now + paused_for_s if paused_for_s else None,
                stopped=str(stop_reason) if stop_reason is not None else None,
            )
        )
    return reports


def estimate_time_left(runs: list[RunReport], rate: RateReport | None) -> EtaReport | None:
    """Estimate from the remaining requests and the rate of the last half minute; None while there are no data.

    Runs whose requests are not built yet are assumed to have as many as the others on average. What follows the
    requests, judges and metrics, is not included.
    """
    if rate is None or rate.window_s < _SHORTEST_SAMPLE_S or rate.requests_per_s <= 0:
        return None
    known = [run for run in runs if run.total is not None]
    if not known:
        return None
    left = float(sum(max(0, (run.total or 0) - run.done) for run in known if run.state not in _OVER))
    guessed = [run for run in runs if run.total is None and run.state not in _OVER]
    left += len(guessed) * sum(run.total or 0 for run in known) / len(known)
    units = sorted({run.unit for run in known})
    about = "about " if guessed else ""
    basis = f"{about}{left:,.0f} {' and '.join(units)} left, {rate.requests_per_s:,.3g} a second"
    if guessed:
        runs_are = "run is" if len(guessed) == 1 else "runs are"
        basis += f"; {len(guessed)} {runs_are} taken to be as large as the others"
    return EtaReport(left / rate.requests_per_s, basis)
