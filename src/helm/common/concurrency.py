"""Ordered parallel work with progress, prompt cancellation and errors that name their item."""

import contextvars
import sys
import threading
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Callable, Generic, Iterable, Iterator, List, Optional, Sequence, TypeVar

InT = TypeVar("InT")
OutT = TypeVar("OutT")
T = TypeVar("T")


def track(items: Iterable[T], description: str, total: Optional[int] = None) -> Iterator[T]:
    """Iterate with a progress bar on a terminal, and with a plain line now and then elsewhere."""
    if total is None and isinstance(items, Sequence):
        total = len(items)
    with progress(description, total) as advance:
        for item in items:
            yield item
            advance(1)


@contextmanager
def progress(description: str, total: Optional[int]) -> Iterator[Callable[[int], Any]]:
    """Yields a function that advances the progress by n items: a bar on a terminal, plain lines elsewhere."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=total, desc=description, leave=False) as bar:
            yield bar.update
    else:
        yield _PlainProgress(description, total).advance


class _PlainProgress:
    """Logs a line when ten more seconds have gone by, so short work stays silent."""

    def __init__(self, description: str, total: Optional[int], every_s: float = 10.0):
        import time

        self._clock, self._every_s = time.monotonic, every_s
        self._description, self._total, self._done = description, total, 0
        self._next = self._clock() + every_s

    def advance(self, count: int = 1) -> None:
        self._done += count
        if self._clock() >= self._next:
            from helm.common.hierarchical_logger import hlog

            self._next = self._clock() + self._every_s
            hlog(f"{self._description}: {self._done}{f' of {self._total}' if self._total is not None else ''}")


def parallel_map(
    process: Callable[[InT], OutT],
    items: Sequence[InT],
    parallelism: int,
    multiprocessing: bool = False,
    description: Optional[str] = None,
) -> List[OutT]:
    """`[process(item) for item in items]` by `parallelism` threads, in the order of the items.

    The first exception in input order propagates; items not yet begun are then cancelled, running ones finish.
    `parallelism` 1 runs in the calling thread. `multiprocessing` is accepted for compatibility and ignored.
    """
    with progress(description or "items", len(items)) as advance:
        if parallelism <= 1 or len(items) <= 1:
            results = []
            for item in items:
                results.append(process(item))
                advance(1)
            return results
        with ThreadPoolExecutor(max_workers=min(parallelism, len(items))) as pool:
            futures: List[Future] = []
            for item in items:
                future = pool.submit(contextvars.copy_context().run, process, item)
                future.add_done_callback(lambda _: advance(1))
                futures.append(future)
            try:
                wait(futures, return_when=FIRST_EXCEPTION)
                for future in futures:
                    if future.done() and not future.cancelled() and future.exception() is not None:
                        break
                else:
                    return [future.result() for future in futures]
            finally:
                for future in futures:
                    future.cancel()
        return [future.result() for future in futures if not future.cancelled()]


class ThreadSafeWrapper(Generic[T]):
    """Context manager that yields an object while holding its lock."""

    def __init__(self, obj: T):
        self._obj = obj
        self._lock = threading.RLock()

    def __enter__(self) -> T:
        self._lock.acquire()
        return self._obj

    def __exit__(self, *exc_info: Any) -> None:
        self._lock.release()
