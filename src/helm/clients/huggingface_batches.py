"""Combines requests of several threads to batches for a model that processes one batch at a time."""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Item = tuple[Any, Mapping[str, Any]]
"""A server and a raw request for it."""


BATCH = "batch"
"""The key of a raw request with the name of the batches that it may be part of, whatever its other values."""


class _Waiting:
    def __init__(self, item: Item):
        self.item = item
        self.done = threading.Event()
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
        self._lock = threading.Lock()
        self._model_lock = threading.Lock()

    @property
    def max_size(self) -> int:
        return self._max_size

    def run(self, item: Item) -> Any:
        """Return the result of one item when its batch is done. Exceptions of `run_batch` are passed on."""
        mine = _Waiting(item)
        with self._lock:
            self._queue.append(mine)
        while not mine.done.is_set():
            with self._model_lock:
                if mine.done.is_set():
                    break
                self._run_next()
        if mine.error is not None:
            raise mine.error
        return mine.result

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
                waiting.done.set()

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
