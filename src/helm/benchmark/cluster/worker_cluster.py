"""The workers of a command, wherever they are, and their reports."""

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any

from helm.benchmark.cluster.forwarded_events import EventReceiver
from helm.benchmark.cluster.hub import Report, together
from helm.benchmark.cluster.run_worker import DONE, Outcome
from helm.benchmark.cluster.worker_pool import WorkerPool
from helm.common.codec import from_json
from helm.common.concurrency import is_stop_requested
from helm.common.errors import HelmError
from helm.common.telemetry.progress import RunProgress, current_run
from helm.common.telemetry.progress_report import EndpointReport

# As often as workers report at most, see `hub`.
_LISTEN_EVERY_S = 0.5


class ClusterError(HelmError):
    """The cluster cannot be reached, has no room for a worker, or a worker could not be prepared."""


def check_started(outcome: str) -> None:
    """Raise ClusterError if an outcome of `HostedWorker.start` is not a success."""
    found = from_json(outcome, Outcome)
    if found.status != DONE:
        details = "" if found.is_helm_error else f"\n{found.traceback}"
        raise ClusterError(f"A worker could not be prepared: {found.error_type}: {found.message}{details}")


class WorkerCluster(ABC):
    """The workers of one command. Used in a `with` statement, in the context (of Ctrl-C) in which runs are awaited.

    Args:
        pool: starts and ends the workers.
    """

    def __init__(self, pool: WorkerPool):
        self.pool = pool
        self._progress: dict[str, RunProgress] = {}
        self._endpoints: dict[str, list[EndpointReport]] = {}
        self._events = EventReceiver()
        self._taking = threading.Lock()
        self._over = threading.Event()
        self._listener = threading.Thread(target=copy_context().run, args=(self._listen,), daemon=True)

    @abstractmethod
    def _fetch_reports(self) -> list[tuple[str, str]]:
        """Return workers and their reports since the last call, in order, when what they spent is in the command's ledger."""

    @abstractmethod
    def _stop(self, handle: Any) -> None:
        """Let a worker start nothing more."""

    def __enter__(self) -> Any:
        self._listener.start()
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.pool.close()
        self._over.set()
        self._listener.join()

    def _listen(self) -> None:
        while True:
            is_over = self._over.wait(_LISTEN_EVERY_S)
            self._take_reports()
            if is_stop_requested():
                self.pool.for_all(self._stop)  # again and again, since some may still be starting
            if is_over:
                return

    def _take_reports(self) -> None:
        with self._taking:  # events keep their order
            for worker, text in self._fetch_reports():
                report = from_json(text, Report)
                self._endpoints[worker] = report.endpoints
                for run in report.runs:
                    if run.name in self._progress:
                        self._progress[run.name].tell(run)
                self._events.receive(worker, report.events)
                for level, message in report.log:
                    logging.getLogger("helm").log(level, "[%s] %s", worker, message)

    def expect(self, progress: RunProgress) -> None:
        """Have the progress of a run told by the worker that executes it."""
        self._progress[progress.name] = progress

    def endpoints(self) -> list[EndpointReport]:
        """Return reports about the endpoints, as all workers together see them."""
        return together(report for reports in list(self._endpoints.values()) for report in reports)

    @contextmanager
    def told_of(self) -> Iterator[None]:
        """Have the events that workers make for `current_run()` in the block reach its observer by the end of the block."""
        run = current_run()
        self._events.expect(run.name, run.observer)
        try:
            yield
        finally:
            if run.observer is not None:
                self._take_reports()
