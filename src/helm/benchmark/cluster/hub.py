"""The state that a command's workers share: the budget, and the channel for reports to the command.

With Ray the hub is a process of its own. Only text goes in and out, mostly JSON.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from helm.common.budgets.charges import Charge
from helm.common.budgets.spending import Budget, BudgetExceeded, Ledger, Spent
from helm.common.budgets.spending_file import InFlight, SpendingFile
from helm.common.codec import dump_json, from_json
from helm.common.request import Usage
from helm.common.telemetry.progress_report import EndpointReport, RunReport

_REPORT_EVERY_S = 0.5
HELD, WAIT = "held", "wait"


def together(reports: Iterable[EndpointReport]) -> list[EndpointReport]:
    """Merge the reports of several workers into one per endpoint."""
    by_address: dict[str, EndpointReport] = {}
    for report in reports:
        known = by_address.get(report.endpoint)
        if known is not None:
            paces = [pace for pace in (known.requests_per_s, report.requests_per_s) if pace is not None]
            pauses = [until for until in (known.retry_at, report.retry_at) if until is not None]
            report = EndpointReport(
                endpoint=report.endpoint,
                window=known.window + report.window,
                in_flight=known.in_flight + report.in_flight,
                waiting=known.waiting + report.waiting,
                sent=known.sent + report.sent,
                rejected=known.rejected + report.rejected,
                requests_per_s=sum(paces) if paces else None,
                retrying=known.retrying + report.retrying,
                failed_tries=dict(Counter(known.failed_tries) + Counter(report.failed_tries)),
                retry_at=max(pauses) if pauses else None,
                stopped=known.stopped or report.stopped,
            )
        by_address[report.endpoint] = report
    return list(by_address.values())


def no_spending() -> Spent:
    return Spent(0, 0, 0, 0, 0.0, 0, {}, 0.0)


def spent_since(now: Spent, earlier: Spent) -> Spent:
    """Return the difference between two totals of one ledger."""
    return Spent(
        now.requests - earlier.requests,
        now.cached - earlier.cached,
        now.prompt_tokens - earlier.prompt_tokens,
        now.completion_tokens - earlier.completion_tokens,
        now.cost - earlier.cost,
        now.unpriced_requests - earlier.unpriced_requests,
        {
            name: count - earlier.outcomes.get(name, 0)
            for name, count in now.outcomes.items()
            if count > earlier.outcomes.get(name, 0)
        },
        0.0,
    )


class Hub:
    """Tracks the budget and collects reports.

    Args:
        budget: the command's budget, as JSON.
        spent: what it has spent before, as JSON.
        spending_file: path of the file in which all spending is recorded; empty if there is none.
        ledger: the command's own ledger, if the hub is in its process; the others mean nothing then.
    """

    def __init__(self, budget: str = "", spent: str = "", spending_file: str = "", ledger: Ledger | None = None):
        if ledger is None:
            file = SpendingFile(spending_file) if spending_file else None
            ledger = Ledger(from_json(budget, Budget), earlier=file)
            ledger.add(from_json(spent, Spent))
        self._ledger = ledger
        self._lock = threading.Lock()
        self._reports: list[tuple[str, str]] = []
        self._held: dict[str, list[tuple[float, int]]] = {}
        """Worker -> upper bound in dollars and tokens of each request that it has in flight."""
        self._gone: set[str] = set()

    def spend(self, spent: str) -> None:
        news = from_json(spent, Spent)
        self._ledger.add(news)
        if news.tokens:
            self._ledger.note(news)

    def hold(self, worker: str, cost: float, tokens: int) -> str:
        """Reserve budget for a worker's request: returns `held`, `wait`, or why nothing more may be spent."""
        try:
            if not self._ledger.hold(cost, tokens):
                return WAIT
        except BudgetExceeded as e:
            return str(e)
        with self._lock:
            if worker not in self._gone:
                self._held.setdefault(worker, []).append((cost, tokens))
                return HELD
        self._ledger.let_go(cost, tokens)  # it asked before it was lost
        return WAIT

    def let_go(self, worker: str, cost: float, tokens: int) -> None:
        """Release the reservation."""
        with self._lock:
            held = self._held.get(worker, [])
            if (cost, tokens) not in held:
                return  # the worker was given up
            held.remove((cost, tokens))
        self._ledger.let_go(cost, tokens)

    def forget(self, worker: str) -> None:
        """Release everything that a lost worker has in flight."""
        with self._lock:
            self._gone.add(worker)
            held = self._held.pop(worker, [])
        for cost, tokens in held:
            self._ledger.let_go(cost, tokens)

    def check(self) -> str:
        """Return why nothing more may be spent; empty if there is budget left."""
        try:
            self._ledger.check()
        except BudgetExceeded as e:
            return str(e)
        return ""

    def report(self, worker: str, report: str) -> None:
        with self._lock:
            self._reports.append((worker, report))

    def take_reports(self) -> list[tuple[str, str]]:
        """Return the (worker, report) pairs since the last call, in order."""
        with self._lock:
            reports, self._reports = self._reports, []
            return reports

    def spent(self) -> str:
        return dump_json(self._ledger.spent())


class HubLedger(Ledger):
    """The ledger of a worker.

    With a budget, the hub reserves money for every request before it is sent, and is notified of every answer at once.
    Without one, it is notified from time to time.

    Args:
        get_price: as for `Ledger`.
        budget: the command's budget.
        call: calls a method of the hub and waits for its result.
        worker: name of the worker.
    """

    def __init__(
        self, get_price: Callable[[str], Any], budget: Budget, call: Callable[..., Any], worker: str = "worker"
    ):
        super().__init__(budget, get_price)
        self._call, self._worker = call, worker
        self.add(replace(no_spending(), seconds=from_json(call("spent"), Spent).seconds))  # as old as the command
        self._told = no_spending()
        self._telling = threading.Lock()

    def hold(self, cost: float, tokens: int) -> bool:
        answer = self._call("hold", self._worker, cost, tokens)
        if answer == WAIT:
            return False
        if answer != HELD:
            raise BudgetExceeded(answer)
        with self._lock:
            self._in_flight += InFlight(cost, tokens, 1)
        return True

    def _settle(self, charge: Charge | None, usage: Usage | None = None, cost: float | None = None) -> InFlight | None:
        freed = super()._settle(charge, usage, cost)
        if self._is_limited:
            self.tell()
            if freed is not None:
                self._call("let_go", self._worker, freed.cost, freed.tokens)
        return freed

    def check_used_up(self) -> None:
        message = self._call("check")
        if message:
            raise BudgetExceeded(message)

    def tell(self) -> None:
        """Send the news to the hub."""
        with self._telling:
            now = self.spent()
            news = spent_since(now, self._told)
            if news != no_spending():
                self._call("spend", dump_json(news))
                self._told = now


@dataclass(frozen=True)
class Report:
    """A worker's periodic report."""

    runs: list[RunReport] = field(default_factory=list)

    endpoints: list[EndpointReport] = field(default_factory=list)
    """The endpoints that the worker uses, as it sees them."""

    log: list[tuple[int, str]] = field(default_factory=list)
    """Warnings and errors: level and text."""

    events: list[list[str]] = field(default_factory=list)
    """For hooks; see `forwarded_events.EventCollector.take`."""


class Reporter(logging.Handler):
    """Collects a worker's news, and sends it at most twice a second.

    Args:
        send: accepts a report as JSON.
        look: returns the current runs and endpoints.
        ledger: the ledger whose news are included.
    """

    def __init__(self, send: Callable[[str], Any], look: Callable[[], Report], ledger: HubLedger):
        super().__init__(logging.WARNING)
        self._send, self._look, self._ledger = send, look, ledger
        self._log: list[tuple[int, str]] = []
        self._last = Report()
        self._flushing = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        logging.getLogger("helm").addHandler(self)
        self._thread.start()

    def stop(self) -> None:
        logging.getLogger("helm").removeHandler(self)
        self._over.set()
        self._thread.join()
        self.flush()

    def emit(self, record: logging.LogRecord) -> None:
        self._log.append((record.levelno, record.getMessage().strip()))

    def flush(self) -> None:
        """Send what is new."""
        with self._flushing:
            number = len(self._log)
            report = replace(self._look(), log=self._log[:number])
            del self._log[:number]
            self._ledger.tell()
            if report != self._last:
                self._last = report
                self._send(dump_json(report))

    def _work(self) -> None:
        while not self._over.wait(_REPORT_EVERY_S):
            self.flush()
