"""A worker of a command in a process of its own, whatever carries its messages. Arguments and results are text, mostly JSON."""

import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from helm.benchmark.cluster.hub import HubLedger, Report, Reporter
from helm.benchmark.cluster.run_worker import Outcome, RecipeSources, RunWorker, Shard, outcome_of
from helm.benchmark.cluster.worker_setup import WorkerSetup, enter
from helm.benchmark.live.snapshot import endpoint_reports
from helm.benchmark.price_registry import get_price
from helm.benchmark.run_spec import RunSpec
from helm.common.budgets.spending import Budget, use_ledger
from helm.common.codec import dump_json, from_json
from helm.common.hierarchical_logger import hlog


class HostedWorker(ABC):
    """Executes many runs, or parts of them; what it has loaded stays loaded."""

    def __init__(self, name: str):
        self._name = name
        self._worker: RunWorker | None = None
        self._reporter: Reporter | None = None
        self._closing = threading.Lock()

    @abstractmethod
    def _ask_hub(self, method: str, *args: Any) -> Any:
        """Call a method of the command's `Hub` and return its result."""

    def start(self, setup: str, budget: str) -> str:
        """Prepare the worker; returns an Outcome, which gives the reason of a failure."""
        try:
            worker_setup = from_json(setup, WorkerSetup)
            enter(worker_setup)
            ledger = HubLedger(get_price, from_json(budget, Budget), self._ask_hub, self._name)
            use_ledger(ledger)
            worker = self._worker = RunWorker(worker_setup, f"{self._name} on {os.uname().nodename}")

            def look() -> Report:
                return Report(worker.take_reports(), endpoint_reports(time.time()), events=worker.take_events())

            self._reporter = Reporter(lambda report: self._ask_hub("report", self._name, report), look, ledger)
            self._reporter.start()
        except Exception as e:
            return dump_json(outcome_of(e))
        return dump_json(Outcome())

    def run(self, run_spec: str, sources: str) -> str:
        """Execute a run; returns an Outcome."""
        assert self._worker is not None and self._reporter is not None, "start it first"
        spec = from_json(run_spec, RunSpec)
        hlog(f"Worker {self._name}: {spec.name}")
        outcome = self._worker.run(spec, from_json(sources, RecipeSources))
        self._reporter.flush()
        return dump_json(outcome)

    def execute(self, shard: str) -> Iterator[str]:
        """Answer requests; yields lists of [position, result], and finally an Outcome."""
        assert self._worker is not None and self._reporter is not None, "start it first"
        yield from self._worker.execute(from_json(shard, Shard))
        self._reporter.flush()

    def stop(self) -> None:
        """Start nothing more."""
        if self._worker is not None:
            self._worker.stop()

    def close(self) -> None:
        """Write pending data. The worker cannot be used afterwards."""
        with self._closing:
            if self._worker is not None:
                self._worker.close()
                self._worker = None
            if self._reporter is not None:
                self._reporter.stop()
                self._reporter = None
