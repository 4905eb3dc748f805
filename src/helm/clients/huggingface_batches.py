"""Combines requests of several threads to batches for a model that processes one batch at a time."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Item = tuple[Any, Mapping[str, Any]]
"""A server and a raw request for it."""


BATCH = "batch"
"""The key of a raw request with the name of the batches that it may be part of, whatever its other values."""


_LATELY = 3
"""A thread is expected again for so many batches."""
_PAUSE_S = 0.0005
_PATIENCE_S = 0.005
"""How long a batch waits while nobody comes."""


class _Waiting:
    def __init__(self, item: Item):
        self.item = item
        self.is_done = False
        self.wakes = threading.Event()
        """Set when it is done, or when its thread is to run the next batch."""
        self.result: Any = None
        self.error: BaseException | None = None


class Batcher:
    """Collects requests while the model is busy, and processes them in the next batch.

    A batch contains requests that differ only in their prompts, or name the same batch, in order of arrival. If a batch
    fails, its requests are retried one at a time, so that one prompt that is too long does not fail the others.

    Args:
        run_batch: returns the results of the items, in the same order.
        max_size: the most items in a batch.
    """

    def __init__(self, run_batch: Callable[[Sequence[Item]], list[Any]], max_size: int):
        self._run_batch = run_batch
        self._max_size = max_size
        self._queue: deque[_Waiting] = deque()
        self._seen: dict[int, int] = {}
        """The number of the batch before which each thread came last."""
        self._number = 0
        self._lock = threading.Lock()
        self._is_running = False
        """Whether a thread runs batches; the others wait for their results."""

    @property
    def max_size(self) -> int:
        return self._max_size

    def run(self, item: Item) -> Any:
        """Return the result of one item when its batch is done. Exceptions of `run_batch` are passed on."""
        mine = _Waiting(item)
        with self._lock:
            self._queue.append(mine)
            self._seen[threading.get_ident()] = self._number
            runs, self._is_running = not self._is_running, True
        try:
            if not runs:
                mine.wakes.wait()
            while not mine.is_done:
                runs = True
                self._gather()
                self._run_next()
        finally:  # also when this thread is interrupted
            self._leave(mine, runs)
        if mine.error is not None:
            raise mine.error
        return mine.result

    def _leave(self, mine: _Waiting, runs: bool) -> None:
        """Let the thread of the first one that waits run the next batch, if this thread was the one that does."""
        with self._lock:
            if mine in self._queue:
                self._queue.remove(mine)
            if not runs and (mine.is_done or not mine.wakes.is_set()):
                return
            if self._queue:
                self._queue[0].wakes.set()
            else:
                self._is_running = False

    def _gather(self) -> None:
        """Wait for the threads that came lately: they are about to bring their next requests, and few full batches are faster."""
        with self._lock:
            self._number += 1
            self._seen = {thread: last for thread, last in self._seen.items() if last >= self._number - _LATELY}
            wanted = min(self._max_size, len(self._seen))
        size, waited = len(self._queue), 0.0
        while size < wanted and waited < _PATIENCE_S:
            time.sleep(_PAUSE_S)
            grown = len(self._queue)
            waited = 0.0 if grown > size else waited + _PAUSE_S
            size = grown

    def _run_next(self) -> None:
        with self._lock:
            first = self._queue[0]
            kind = _kind(first.item)
            batch = [waiting for waiting in self._queue if _kind(waiting.item) == kind][: self._max_size]
            for waiting in batch:
                self._queue.remove(waiting)
        try:
            try:
                for waiting, result in zip(batch, self._run_batch([w.item for w in batch]), strict=True):
                    waiting.result = result
            except Exception as e:
                if len(batch) == 1:
                    batch[0].error = e
                    return
                for waiting in batch:
                    self._run_alone(waiting)
        finally:
            for waiting in batch:
                waiting.is_done = True
                waiting.wakes.set()

    def _run_alone(self, waiting: _Waiting) -> None:
        try:
            (waiting.result,) = self._run_batch([waiting.item])
        except Exception as e:
            waiting.error = e


def _kind(item: Item) -> tuple[int, str]:
    server, raw = item
    if BATCH in raw:
        return id(server), str(raw[BATCH])
    rest: dict[str, Any] = {name: value for name, value in raw.items() if name != "prompt"}
    return id(server), json.dumps(rest, sort_keys=True)
