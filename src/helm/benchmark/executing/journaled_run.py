"""Makes the requests of a run. Each result is in the run's journal before anybody sees it."""

import contextvars
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from helm.benchmark.adaptation.request_state import RequestState, StateFile
from helm.benchmark.executing.prefix_order import PrefixOrder, PrefixSchedule
from helm.benchmark.executing.request_journal import RequestJournal, Results, request_texts
from helm.common.concurrency import is_stop_requested, parallel_map, progress
from helm.common.lane_work import LaneWork
from helm.common.request import Request, RequestResult
from helm.common.sending import Deferred, FirstTry, after_first_try, at_place
from helm.common.telemetry.progress import current_run

if TYPE_CHECKING:
    from helm.clients.http.request_lane import RequestLane

_LOOK_EVERY_S = 0.1
"""How often the end of other threads is looked for."""


def new_results(states: Sequence[RequestState]) -> Results:
    """Return a place for the results of a run, in memory if its states are there."""
    return states.new_results() if isinstance(states, StateFile) else {}


def with_results(states: Sequence[RequestState], results: Results) -> list[RequestState]:
    """Return the states of a run with their results, which are all there."""
    if isinstance(states, StateFile):
        assert not isinstance(results, dict)
        return cast(list[RequestState], states.with_results(results))
    return [state.with_result(results[index]) for index, state in enumerate(states)]


def with_original_cached_flag(result: Any, started_at: int) -> Any:
    """Clear the cached flag of a response that an interrupted attempt computed and cached, but did not record."""
    if isinstance(result, RequestResult) and result.cached and (result.request_datetime or 0) >= started_at:
        return replace(result, cached=False)
    return result


def run_journaled(
    states: Sequence[RequestState],
    run_one: Callable[..., RequestState],
    parallelism: int = 1,
    journal: RequestJournal | None = None,
    description: str = "requests",
    send_equal_once: bool = False,
    threads_after_s: float | None = None,
    wanted: Callable[[], int] | None = None,
    leaders_first: bool = False,
    wait: Callable[[], None] | None = None,
    on_recorded: Callable[[int], None] | None = None,
    keep: Callable[[Any], Any] | None = None,
    with_number: bool = False,
    lane: "RequestLane | None" = None,
) -> list[RequestState]:
    """Return `[run_one(state) for state in states]`, in order, storing every result on disk as soon as it exists.

    Results that an earlier attempt recorded are used as they are. `run_one` returns the state with its result.
    With `send_equal_once`, requests that equal an earlier one wait until that one is answered, so that a response cache
    can answer them and which of them is marked as cached does not depend on timing; and those with equal beginnings are sent
    near each other, with `leaders_first` the first of them alone. `threads_after_s` and `wanted` are as in
    `parallel_map`. States for which `run_one` raises Deferred are run again when `wait` has returned.
    `on_recorded` is called with the number of each state whose result is on disk. `keep` is as in `RequestJournal.open`.
    `with_number` gives `run_one` the number of the state, too. If the states are spooled, so are those that are returned.
    `lane` makes the ordinary requests, and `run_one` the others.
    """
    texts = request_texts(states) if send_equal_once else None
    firsts: Collection[int] = range(len(states))
    if texts is not None:
        firsts = set({text: index for index, text in reversed(list(enumerate(texts)))}.values())
    results = new_results(states)
    current_run().expect(description, len(states))
    if journal is not None:
        # Spooled results of an earlier attempt are where those of this one go.
        journal.open(states, texts, keep, None if isinstance(results, dict) else results)
    one_run = _JournaledRun(states, run_one, journal, results, firsts, on_recorded, with_number)

    def run_all(indices: Sequence[int], by_prefix: bool = False) -> None:
        order, schedule = None, None
        if by_prefix and texts is not None:
            order = PrefixOrder([texts[index] for index in indices])
            texts.clear()  # they take more memory than the prompts
            if order.waits_for:
                schedule = PrefixSchedule(order, waits=leaders_first)
        if lane is not None and not (schedule is not None and leaders_first):
            one_run.run_in_lane(lane, indices, order, schedule, description)
            return
        process: Callable[[int], None] = one_run.run
        if schedule is not None:
            begun: Sequence[int] = range(len(indices))
            process = _scheduled(schedule, indices, one_run.run)
        else:
            begun = indices if order is None else [indices[position] for position in order.positions]
        while begun:
            parallel_map(
                process, begun, parallelism, description=description, threads_after_s=threads_after_s, wanted=wanted
            )
            begun, process = sorted(one_run.deferred), one_run.run
            if begun:
                assert wait is not None, "Only who can wait may defer"
                wait()

    try:
        run_all(sorted(firsts), by_prefix=texts is not None)
        run_all([index for index in range(len(states)) if index not in firsts])
    finally:
        if journal is not None:
            journal.close()
    return with_results(states, results)


def _scheduled(schedule: PrefixSchedule, indices: Sequence[int], run: Callable[[int], None]) -> Callable[[int], None]:
    """Return a function for `parallel_map` that does the next request whatever it is called with."""

    def run_next(_: int) -> None:
        position = schedule.next()
        try:
            run(indices[position])
        except BaseException as e:
            schedule.failed(e)
            raise
        schedule.answered(position)

    return run_next


class _JournaledRun:
    """Makes requests of one run by their numbers, and records what they come to. Threads may do so at the same time."""

    def __init__(
        self,
        states: Sequence[RequestState],
        run_one: Callable[..., RequestState],
        journal: RequestJournal | None,
        results: Results,
        firsts: Collection[int],
        on_recorded: Callable[[int], None] | None,
        with_number: bool,
    ):
        self.states, self.journal = states, journal
        self.deferred: set[int] = set()
        """Those that wait for their batch."""
        self.handed_over: set[int] = set()
        """Those that a lane has begun, and that go on elsewhere."""
        self.counter = current_run()
        self._run_one, self._results, self._firsts = run_one, results, firsts
        self._on_recorded, self._with_number = on_recorded, with_number

    def run(self, index: int) -> None:
        """Make a request, unless an earlier attempt has recorded its result."""
        if self.is_recorded(index):
            return
        journal, state = self.journal, self.states[index]
        if journal is not None and index not in self.deferred and index not in self.handed_over:
            journal.record_sent(index)
        try:
            with at_place(journal.place_of(index)) if journal is not None else nullcontext():
                done = self._run_one(state, index) if self._with_number else self._run_one(state)
        except Deferred:
            self.deferred.add(index)
            return
        self.deferred.discard(index)
        self.counter.count(self.record([(index, done.result)])[0])

    def is_recorded(self, index: int) -> bool:
        """Take the result that an earlier attempt has recorded, if there is one; return whether there is."""
        recorded = self.journal.result(index) if self.journal is not None else None
        if recorded is None:
            return False
        if index not in self._results:
            self._results[index] = recorded
        if self._on_recorded is not None:  # the process may have died in between
            self._on_recorded(index)
        self.counter.count(recorded, is_resumed=True)
        return True

    def record(self, finished: Sequence[tuple[int, Any]]) -> list[Any]:
        """Record the results of requests by number, and return them as they are kept."""
        journal = self.journal
        if journal is not None:
            finished = [
                (
                    index,
                    with_original_cached_flag(result, journal.started_at)
                    if index in self._firsts and journal.was_sent(index)
                    else result,
                )
                for index, result in finished
            ]
            journal.record_results(finished)
        for index, result in finished:
            if self._on_recorded is not None:
                self._on_recorded(index)
            self._results[index] = result
        return [result for _, result in finished]

    def run_in_lane(
        self,
        lane: "RequestLane",
        indices: Sequence[int],
        order: PrefixOrder | None,
        schedule: PrefixSchedule | None,
        description: str,
    ) -> None:
        """Make requests in a lane, and those in threads that it hands over.

        Of several exceptions the first one in the order of the requests is raised; what is in flight ends before.
        """
        if not indices:
            return
        with progress(description, len(indices)) as advance:
            work = _Work(self, indices, order, schedule, advance)
            try:
                lane.run(work)
            finally:
                work.join()
        if work.errors:
            raise work.errors[min(work.errors)]
        if is_stop_requested():
            raise KeyboardInterrupt


class _Work(LaneWork):
    """The requests of a run that go through a lane. Items are positions in `indices`."""

    def __init__(
        self,
        one_run: _JournaledRun,
        indices: Sequence[int],
        order: PrefixOrder | None,
        schedule: PrefixSchedule | None,
        advance: Callable[[int], Any],
    ):
        self._run, self._indices, self._schedule, self._advance = one_run, indices, schedule, advance
        self._positions = iter(order.positions if order is not None else range(len(indices)))
        self._num_left = len(indices)
        self._lock = threading.Lock()
        self._threads: set[threading.Thread] = set()
        self.errors: dict[int, BaseException] = {}
        """What ended the run, by the number of the request."""

    def take(self, most: int) -> list[tuple[int, Request]]:
        taken: list[tuple[int, Request]] = []
        while len(taken) < most and self._num_left:
            self._num_left -= 1
            position = next(self._positions) if self._schedule is None else self._schedule.next()
            index = self._indices[position]
            if self._run.is_recorded(index):
                self._answered([position])
                continue
            request = self._run.states[index].request
            assert isinstance(request, Request)
            taken.append((position, request))
        journal = self._run.journal
        if taken and journal is not None:
            try:
                journal.record_all_sent([self._indices[position] for position, _ in taken])
            except Exception as e:
                self.errors[self._indices[taken[0][0]]] = e
                return []
        return taken

    def place_of(self, item: int) -> str | None:
        journal = self._run.journal
        return journal.place_of(self._indices[item]) if journal is not None else None

    def finish(self, answered: Sequence[tuple[int, RequestResult]]) -> None:
        indices = self._indices
        try:
            results = self._run.record([(indices[position], result) for position, result in answered])
        except Exception as e:
            self.errors[indices[answered[0][0]]] = e
            return
        self._run.counter.count_all(results)
        self._answered([position for position, _ in answered])

    def _answered(self, positions: Sequence[int]) -> None:
        if self._schedule is not None:
            for position in positions:
                self._schedule.answered(position)
        self._advance(len(positions))

    def hand_over(self, item: int, first_try: FirstTry | None) -> None:
        # A copy of this thread's context: a context can be entered only once.
        thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._go_on, item, first_try), daemon=True
        )
        with self._lock:
            self._threads.add(thread)
        thread.start()

    def _go_on(self, position: int, first_try: FirstTry | None) -> None:
        index = self._indices[position]
        try:
            self._run.handed_over.add(index)
            with after_first_try(first_try) if first_try is not None else nullcontext():
                self._run.run(index)
            self._answered([position])
        except BaseException as e:  # raised again in the calling thread
            self.errors[index] = e
        finally:
            self._run.handed_over.discard(index)
            with self._lock:
                self._threads.discard(threading.current_thread())

    @property
    def num_elsewhere(self) -> int:
        return len(self._threads)

    @property
    def is_stopping(self) -> bool:
        return bool(self.errors) or is_stop_requested()

    def join(self) -> None:
        """Wait until the other threads have ended."""
        while self._threads:
            with self._lock:
                thread = next(iter(self._threads), None)
            if thread is not None:
                thread.join(_LOOK_EVERY_S)
