"""Requests of several threads, put together into batches for a model that takes one batch at a time."""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Item = tuple[Any, Mapping[str, Any]]
"""A server and a raw request."""


class _Waiting:
    def __init__(self, item: Item):
        self.item = item
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None


class Batcher:
    """Whoever comes while the model is busy waits, and goes with the next batch.

    A batch holds requests that differ only in their prompts, in the order in which they came. An error of a batch is
    tried again one request at a time, so that one prompt that is too long does not fail its neighbours.

    Args:
        run_batch: results for the items, in their order.
        max_size: most items in a batch.
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
        """The result of one item; blocks until its batch is done. Raises: what `run_batch` raises."""
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
    rest: dict[str, Any] = {name: value for name, value in raw.items() if name != "prompt"}
    return id(server), json.dumps(rest, sort_keys=True)
