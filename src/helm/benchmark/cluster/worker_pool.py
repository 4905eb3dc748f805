"""Assigns work to workers, which are started on demand, shared where that does no harm, and replaced when lost."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from helm.benchmark.cluster.demand import Demand
from helm.common.concurrency import is_stop_requested
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hlog, hwarn

T = TypeVar("T")

SHARES = 8
"""Number of runs that wait for endpoints and share one worker."""

# How soon waiting callers notice Ctrl-C, or that patience has run out.
_LOOK_EVERY_S = 0.5
_PATIENCE_S = 10.0
"""How long a worker may take to start before room is made for it."""


class WorkerLost(Exception):
    """The process of a worker is gone, with its work; the message says why, as far as the cluster knows."""


class NotWanted(Exception):
    """A worker was no longer needed before it was ready."""


class WorkerLostError(HelmError):
    """A run lost its workers more often than the retry limit."""


class Starter(Protocol):
    """Starts and ends the processes of workers."""

    def start(self, name: str, demand: Demand, is_wanted: Callable[[], bool], make_room: Callable[[], bool]) -> Any:
        """Return a handle of a worker that is ready.

        While the cluster has no room for it, `make_room` is called, which ends an idle worker of another kind if there
        is one.

        Raises: NotWanted if `is_wanted` returns false; HelmError if there is no room for such a worker, or it cannot be
        prepared; WorkerLost.
        """

    def end(self, handle: Any) -> None:
        """Let a worker finish writing, then end it. Does nothing if it is gone."""


@dataclass(eq=False)
class Worker:
    """One process."""

    name: str

    demand: Demand

    handle: Any = None
    """None while it is being started."""

    users: list[Demand] = field(default_factory=list)
    """The demands of the calls in progress."""

    is_gone: bool = False

    def has_room_for(self, demand: Demand) -> bool:
        if self.handle is None or self.is_gone or not self.demand.fits(demand):
            return False
        if not self.users:
            return True
        is_shared = not demand.is_exclusive and not any(user.is_exclusive for user in self.users)
        return is_shared and len(self.users) < SHARES


class WorkerPool:
    """The workers of a command, at most `max_workers` at once."""

    def __init__(self, starter: Starter, max_workers: int, max_retries: int):
        self._starter = starter
        self.max_workers, self._max_retries = max_workers, max_retries
        self._changed = threading.Condition()
        self._workers: list[Worker] = []
        self._waiting: list[Demand] = []  # the demands of callers without a ready worker
        self._num_started = 0
        self._is_closed = False

    def run(self, what: str, demand: Demand, work: Callable[[Worker], T]) -> T:
        """Call `work` with a worker that meets the demand, and again with another one if that one is lost.

        Raises: WorkerLostError, naming `what`, when that has happened too often; what `work` and the starter raise.
        """
        for attempt in range(self._max_retries + 1):
            lost: WorkerLost | None = None
            try:
                with self._borrow(demand) as worker:
                    try:
                        return work(worker)
                    except WorkerLost:
                        self._discard(worker)
                        raise
            except WorkerLost as e:  # during the work, or before it was ready
                lost = e
            if self._is_closed or is_stop_requested():
                raise KeyboardInterrupt
            if attempt < self._max_retries:
                hwarn(f"{what}: its worker was lost ({lost}). Another one continues it.")
        raise WorkerLostError(
            f"{what}: {self._max_retries + 1} workers were lost in a row, the last one because of this: {lost}. To allow "
            "more attempts, set max_worker_retries in runner_config.yaml."
        )

    @contextmanager
    def _borrow(self, demand: Demand) -> Iterator[Worker]:
        worker = self._acquire(demand)
        try:
            yield worker
        finally:
            self._release(worker, demand)

    def _acquire(self, demand: Demand) -> Worker:
        with self._changed:
            self._waiting.append(demand)
        try:
            return self._acquire_waiting(demand)
        finally:
            with self._changed:
                self._waiting.remove(demand)

    def _acquire_waiting(self, demand: Demand) -> Worker:
        while True:
            worker = self._take(demand)
            try:
                if worker.handle is None:
                    self._start(worker)
                return worker
            except NotWanted:  # a similar worker has become free, or nothing more is to start
                self._release(worker, demand)
            except BaseException:
                self._release(worker, demand)
                raise

    def _release(self, worker: Worker, demand: Demand) -> None:
        with self._changed:
            worker.users.remove(demand)
            self._changed.notify_all()

    def _take(self, demand: Demand) -> Worker:
        """Add `demand` to the users of a worker, which may have to be started."""
        with self._changed:
            while True:
                if self._is_closed or is_stop_requested():
                    raise KeyboardInterrupt
                fitting = [worker for worker in self._workers if worker.has_room_for(demand)]
                worker = min(fitting, key=lambda worker: len(worker.users), default=None)
                if worker is None or worker.users:  # a new worker is better than a shared one
                    if len(self._workers) < self.max_workers or (worker is None and self._end_idle()):
                        self._num_started += 1
                        worker = Worker(f"worker {self._num_started}", demand)
                        self._workers.append(worker)
                if worker is not None:
                    worker.users.append(demand)
                    return worker
                self._changed.wait(_LOOK_EVERY_S)

    def _start(self, worker: Worker) -> None:
        patience_ends = time.monotonic() + _PATIENCE_S

        def is_wanted() -> bool:
            if self._is_closed or is_stop_requested():
                return False
            if time.monotonic() < patience_ends:
                return True
            with self._changed:  # the resources it needs may be held by a similar idle worker
                return not any(other.has_room_for(worker.demand) for other in self._workers)

        def make_room() -> bool:
            if time.monotonic() < patience_ends:
                return False
            with self._changed:
                return self._end_idle()

        try:
            handle = self._starter.start(worker.name, worker.demand, is_wanted, make_room)
        except BaseException:
            self._discard(worker)
            raise
        hlog(f"{worker.name} is ready ({worker.demand})")
        with self._changed:
            worker.handle = handle
            self._changed.notify_all()

    def _end_idle(self) -> bool:
        """End an idle worker that no waiting caller can use; returns whether there was one."""
        for worker in self._workers:
            is_idle = worker.handle is not None and not worker.users
            if is_idle and not any(worker.demand.fits(other) for other in self._waiting):
                self._workers.remove(worker)
                worker.is_gone = True
                self._starter.end(worker.handle)
                return True
        return False

    def _discard(self, worker: Worker) -> None:
        with self._changed:
            worker.is_gone = True
            if worker in self._workers:
                self._workers.remove(worker)
            self._changed.notify_all()
        if worker.handle is not None:
            self._starter.end(worker.handle)

    def for_all(self, call: Callable[[Any], Any]) -> None:
        """Call with the handle of every worker that is ready."""
        with self._changed:
            handles = [worker.handle for worker in self._workers if worker.handle is not None]
        for handle in handles:
            call(handle)

    def close(self) -> None:
        """End all workers; work in progress is lost."""
        with self._changed:
            self._is_closed = True
            workers, self._workers = self._workers, []
            self._changed.notify_all()
        for worker in workers:
            worker.is_gone = True
            if worker.handle is not None:
                self._starter.end(worker.handle)
