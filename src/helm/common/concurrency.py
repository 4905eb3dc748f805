"""Ordered parallel work with progress, prompt cancellation, and an interrupt that finishes what is in flight."""

import contextvars
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from helm.common.telemetry.progress import current_run, is_counted

InT = TypeVar("InT")
OutT = TypeVar("OutT")
T = TypeVar("T")

_stop_requested: contextvars.ContextVar[threading.Event | None] = contextvars.ContextVar("helm_stop", default=None)


# Threads are worth starting when most of the last `_LATELY` items took long, and all of them at least `_LONG_WAIT_S` together:
# a few may have been delayed by the machine. Of the very first item, only the time off the processor counts, because it also
# does one-time preparations.
_LATELY = 20
_LONG_WAIT_S = 0.05
# A thread ends when there were too many of them at each of so many of its items.
_TOO_MANY_FOR = 20


@contextmanager
def drain_on_interrupt() -> Iterator[None]:
    """Make the first Ctrl-C inside the block finish the work in flight, and only the second one stop at once.

    After the first Ctrl-C, `parallel_map` and `track` finish what is in flight, then raise KeyboardInterrupt. Outside the
    main thread, this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    stop = threading.Event()

    def on_interrupt(signum: int, frame: Any) -> None:
        from helm.common.hierarchical_logger import hwarn

        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        hwarn("Interrupted: finishing what is in flight. Press Ctrl-C again to stop at once.")

    token = _stop_requested.set(stop)
    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        _stop_requested.reset(token)


@contextmanager
def stoppable_by(stop: threading.Event) -> Iterator[None]:
    """Make setting the event act like Ctrl-C in `drain_on_interrupt`.

    This holds inside the block, in this thread and in the threads of `parallel_map` that it starts.
    """
    token = _stop_requested.set(stop)
    try:
        yield
    finally:
        _stop_requested.reset(token)


def is_stop_requested() -> bool:
    """Return whether Ctrl-C was pressed inside `drain_on_interrupt`, or the event of `stoppable_by` is set."""
    stop = _stop_requested.get()
    return stop is not None and stop.is_set()


def sleep_until_stopped(seconds: float) -> None:
    """Sleep. Raises KeyboardInterrupt if Ctrl-C is pressed meanwhile inside `drain_on_interrupt`."""
    stop = _stop_requested.get()
    if stop is None:
        time.sleep(seconds)
    elif stop.wait(seconds):
        raise KeyboardInterrupt


def track(items: Iterable[T], description: str, total: int | None = None) -> Iterator[T]:
    """Iterate with a progress bar on a terminal, and with occasional plain lines elsewhere."""
    if total is None and isinstance(items, Sequence):
        total = len(items)
    with progress(description, total) as advance:
        for item in items:
            if is_stop_requested():
                raise KeyboardInterrupt
            yield item
            advance(1)


@contextmanager
def progress(description: str, total: int | None) -> Iterator[Callable[[int], Any]]:
    """Yield a function that advances the progress by n items: a bar on a terminal, plain lines elsewhere.

    Inside a run of a command, the progress is counted for that run and shown in the command's own display.
    """
    if is_counted():
        with current_run().working(description, total) as advance:
            yield advance
    elif sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=total, desc=description, leave=False) as bar:
            yield bar.update
    else:
        yield _PlainProgress(description, total).advance


class _PlainProgress:
    """Logs a line every ten seconds, so that short work stays silent."""

    def __init__(self, description: str, total: int | None, every_s: float = 10.0):
        self._every_s = every_s
        self._description, self._total, self._done = description, total, 0
        self._next = time.monotonic() + every_s

    def advance(self, count: int = 1) -> None:
        self._done += count
        if time.monotonic() >= self._next:
            from helm.common.hierarchical_logger import hlog

            self._next = time.monotonic() + self._every_s
            hlog(f"{self._description}: {self._done}{f' of {self._total}' if self._total is not None else ''}")


def parallel_map(
    process: Callable[[InT], OutT],
    items: Sequence[InT],
    parallelism: int,
    multiprocessing: bool = False,
    description: str | None = None,
    threads_after_s: float | None = None,
    wanted: Callable[[], int] | None = None,
) -> list[OutT]:
    """Return `[process(item) for item in items]`, computed by threads.

    The first exception in input order propagates; running items finish first, and no further ones are begun.

    Args:
        parallelism: the most threads; 1 works in the calling thread.
        multiprocessing: accepted for compatibility and ignored.
        threads_after_s: the calling thread works alone until items take longer than this, because work that never waits is
            slower in threads. None starts threads at once.
        wanted: returns how many threads are useful now; threads are started as it grows, up to `parallelism`, and end when
            it has been smaller for a while.
    """
    with progress(description or "items", len(items)) as advance:
        results: list[OutT] = []
        alone = parallelism <= 1
        lately: deque[float] = deque(maxlen=_LATELY)
        for item in items:
            if not alone and threads_after_s is None:
                break
            if is_stop_requested():
                raise KeyboardInterrupt
            started = time.perf_counter()
            worked = 0.0 if results else time.thread_time()
            results.append(process(item))
            elapsed = time.perf_counter() - started
            advance(1)
            if not alone and threads_after_s is not None:
                if not lately:
                    elapsed -= time.thread_time() - worked  # it makes things ready, too
                lately.append(elapsed)
                if elapsed > threads_after_s and sum(lately) > _LONG_WAIT_S:
                    if 2 * sum(each > threads_after_s for each in lately) > len(lately):
                        break
        rest = items[len(results) :] if results else items
        if rest:
            results += _Workers(process, rest, advance).run(min(parallelism, len(rest)), wanted)
        return results


class _Workers:
    """Threads that take items one after another, which is cheaper than one future per item."""

    def __init__(self, process: Callable[[Any], Any], items: Sequence[Any], advance: Callable[[int], Any]):
        self._process, self._items, self._advance = process, items, advance
        self._results: list[Any] = [None] * len(items)
        self._errors: dict[int, BaseException] = {}
        self._indices = iter(range(len(items)))  # next() on it is atomic
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._num_working = 0
        self._max_threads = 0
        self._wanted: Callable[[], int] | None = None

    def _work(self) -> None:
        num_too_many = 0
        for index in self._indices:
            if self._errors or is_stop_requested():
                return
            num_too_many = num_too_many + 1 if self._are_too_many() else 0
            try:
                self._results[index] = self._process(self._items[index])
            except BaseException as e:  # raised again in the calling thread
                self._errors[index] = e
                return
            self._advance(1)
            if num_too_many >= _TOO_MANY_FOR and self._leaves():
                return

    def _are_too_many(self) -> bool:
        """Start one more thread if one is wanted, which starts the next; return whether there are more than are wanted."""
        if self._wanted is None or self._max_threads <= 1:
            return False
        wanted = max(1, min(self._max_threads, self._wanted()))
        if self._num_working < wanted:
            with self._lock:  # another thread may have been faster
                if self._num_working < min(self._max_threads, self._wanted()):
                    self._start_thread()
        return self._num_working > wanted

    def _leaves(self) -> bool:
        """Return whether this thread may end, because the others are enough."""
        assert self._wanted is not None
        with self._lock:
            is_enough = self._num_working > max(1, self._wanted())
            self._num_working -= is_enough
            return is_enough

    def _start_thread(self) -> None:
        # A copy of the calling thread's context: a context can be entered only once.
        thread = threading.Thread(target=self._context.copy().run, args=(self._work,), daemon=True)
        self._threads.append(thread)
        self._num_working += 1
        thread.start()

    def run(self, num_threads: int, wanted: Callable[[], int] | None = None) -> list[Any]:
        self._max_threads, self._wanted = num_threads, wanted
        self._context = contextvars.copy_context()
        with self._lock:
            for _ in range(1 if wanted is not None else num_threads):
                self._start_thread()
        try:
            joined = 0
            while joined < len(self._threads):
                self._threads[joined].join()
                joined += 1
        except BaseException as e:
            self._errors[-1] = e  # the others stop before their next item
            raise
        if self._errors:
            raise self._errors[min(self._errors)]
        if is_stop_requested():
            raise KeyboardInterrupt
        return self._results


def overlap(
    process: Callable[[InT], Any],
    items: Sequence[InT],
    can_overlap: Callable[[InT], bool],
    width: int,
    begin_group: Callable[[int], Any] = lambda size: None,
) -> None:
    """Process all items in order: up to `width` neighbours that can overlap at the same time, the others alone.

    `begin_group` is called with the size of each group of neighbours before it begins; the next group begins when this one
    has ended. The first exception in the order of the items propagates once the items begun have ended, and no further ones
    are begun.
    """
    start = 0
    while start < len(items):
        end = start + 1
        while width > 1 and end < len(items) and can_overlap(items[start]) and can_overlap(items[end]):
            end += 1
        if end - start > 1:
            group = items[start:end]
            begin_group(len(group))
            _Workers(process, group, lambda count: None).run(min(width, len(group)))
        else:
            begin_group(1)
            process(items[start])
            if is_stop_requested():
                raise KeyboardInterrupt
        start = end


class ThreadSafeWrapper(Generic[T]):
    """Context manager that yields an object while holding its lock."""

    def __init__(self, wrapped: T):
        self._wrapped = wrapped
        self._lock = threading.RLock()

    def __enter__(self) -> T:
        self._lock.acquire()
        return self._wrapped

    def __exit__(self, *exc_info: Any) -> None:
        self._lock.release()
