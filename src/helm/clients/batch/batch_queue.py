"""Collects the requests of all runs of a command, sends them as batches, and distributes the answers.

A run makes all requests it needs; those that are not in the response cache raise Deferred and wait here. When all runs of
the command wait, their requests become batches. When these have ended, the runs repeat their requests and get the answers as
if they had just been sent one by one, so everything else, from retries to the cache, works as usual. One of the waiting
threads advances the batches.
"""

import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from helm.clients.batch.batch_folder import (
    DONE,
    ENDED,
    FOLDER,
    PREPARED,
    UPLOADED,
    UPLOADING,
    BatchFolder,
    BatchRecord,
    new_key,
)
from helm.clients.batch.batch_worker import BatchWorker, NoBatchAPI
from helm.clients.batch.batches import Batches, BatchItem, LineAnswer
from helm.clients.http.http_endpoint import max_retries
from helm.clients.http.request_failure import RequestFailure
from helm.common.budgets.spending import BudgetExceeded, expected_completion_tokens, get_ledger
from helm.common.concurrency import is_stop_requested
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.key_value_store import SqliteKeyValueStore
from helm.common.request import RATE_LIMITED

POLL_VARIABLE = "HELM_BATCH_POLL_S"
_DEFAULT_POLL_S = 30.0
# How often a waiting thread checks for Ctrl-C.
_WAKE_S = 0.2
# Batches may take a day: after failures, a look every ten minutes is enough.
_LONGEST_PAUSE_S = 600.0


@dataclass
class _Wanted:
    """A request that waits for a batch."""

    item: BatchItem

    batches: Batches


@dataclass
class _Answer:
    """The outcome of a batch for one request."""

    line: LineAnswer

    began_at: int

    seconds: float

    key: str | None
    """The key of the batch; None if it was not created."""


class BatchQueue:
    """The batches of one command.

    Args:
        local_path: the folder of `--local-path`; batches are kept in its folder `batches`.
        poll_s: seconds between two polls of a batch; None means `$HELM_BATCH_POLL_S`, or else 30.

    Raises ConfigError if that is not a positive number.
    """

    def __init__(self, local_path: str, poll_s: float | None = None):
        self.folder = BatchFolder(os.path.join(local_path, FOLDER))
        self._poll_s = _poll_s() if poll_s is None else poll_s
        self._changed = threading.Condition()
        self._local = threading.local()
        self._expected = self._waiting = 0
        self._is_led = False
        self._submit_at = 0.0
        self._pending: dict[str, _Wanted] = {}
        self._workers: dict[str, BatchWorker] = {}
        self._answers: dict[str, _Answer] = {}
        self._errors: dict[str, Exception] = {}
        self._broken: BaseException | None = None
        self._spent: set[tuple[str, str]] = set()
        self._settled: set[str] = set()
        self._ended: dict[str, tuple[BatchWorker, set[str]]] = {}
        self._tries: dict[str, Counter] = {}
        self._without_api: set[str] = set()
        self._most: dict[tuple[str, str], int] = {}
        self._not_before: dict[tuple[str, str], tuple[float, float]] = {}
        self._has_told = False

    # --- participants -------------------------------------------------------------------------------------------------

    def expect(self, num_runs: int) -> None:
        """Announce runs that are about to begin. No batch is created before each of them waits or has no more requests."""
        with self._changed:
            self._expected += num_runs

    @contextmanager
    def taking_part(self) -> Iterator[None]:
        """Execute one of the expected runs in this thread."""
        self._local.takes_part = True
        try:
            yield
        finally:
            self.leave()

    def leave(self) -> None:
        """Note that the run of this thread has no more requests for batches."""
        if getattr(self._local, "takes_part", False):
            self._local.takes_part = False
            with self._changed:
                self._expected -= 1
                self._changed.notify_all()

    def stop(self, reason: BaseException) -> None:
        """Raise `reason` in all waiting threads. Batches that are already submitted continue at the provider."""
        with self._changed:
            self._broken = self._broken or reason
            self._changed.notify_all()

    def close(self) -> None:
        """Release the batches, so that other processes can take over."""
        with self._changed:
            workers = [*self._workers.values(), *(worker for worker, _ in self._ended.values())]
            self._workers.clear()
            self._ended.clear()
        for worker in workers:
            worker.release()
        self._finish_left_ones()

    def takes(self, batches: Batches) -> bool:
        return batches.address not in self._without_api

    # --- asking -------------------------------------------------------------------------------------------------------

    def answer(self, custom_id: str) -> _Answer | None:
        return self._answers.get(custom_id)

    def want(self, item: BatchItem, batches: Batches) -> None:
        with self._changed:
            self._pending.setdefault(item.custom_id, _Wanted(item, batches))
            self._errors.pop(item.custom_id, None)
            self._submit_at = 0.0

    def try_again(self, custom_id: str, failure: RequestFailure) -> bool:
        """Return whether a failed request goes into another batch; if so, its answer is dropped."""
        with self._changed:
            tries = self._tries.setdefault(custom_id, Counter())
            tries[failure.outcome] += 1
            if not failure.is_retriable or tries[failure.outcome] > max_retries(failure.outcome):
                self._settle(custom_id)
                return False
            answer = self._answers.pop(custom_id, None)
            if answer is not None and answer.key is not None:
                self._spent.add((answer.key, custom_id))
            return True

    def settled(self, custom_id: str) -> None:
        """Note that the answer is in the response cache."""
        with self._changed:
            self._answers.pop(custom_id, None)
            self._settle(custom_id)

    def _settle(self, custom_id: str) -> None:
        self._settled.add(custom_id)
        for key, (_, unsettled) in self._ended.items():
            if custom_id in unsettled:
                unsettled.remove(custom_id)
                self.folder.note_taken(key, custom_id)

    def finish(self) -> None:
        """Mark batches as done whose answers are all settled."""
        with self._changed:
            finished = [key for key, (_, unsettled) in self._ended.items() if not unsettled]
            workers = [self._ended.pop(key)[0] for key in finished]
        if workers:
            SqliteKeyValueStore.commit_all()
        for worker in workers:
            if worker.lock is not None:
                worker.record = self.folder.finish(worker.record)
            worker.release()

    def _finish_left_ones(self) -> None:
        """Finish batches of earlier processes that died after all answers were consumed or cached."""
        for record in self.folder.records():
            if record.stage != ENDED or not self._settled.issuperset(self.folder.left(record.key)):
                continue
            lock = self.folder.try_lock(record.key)
            if lock is not None:
                SqliteKeyValueStore.commit_all()
                self.folder.finish(record)
                lock.release()

    # --- waiting ------------------------------------------------------------------------------------------------------

    def wait(self, custom_ids: set[str]) -> None:
        """Return when no request waits for a batch any more, or when some were answered and the rest must wait.

        Raises BudgetExceeded, BatchError, or KeyboardInterrupt after Ctrl-C.
        """
        self.finish()
        with self._changed:
            self._waiting += 1
            self._changed.notify_all()
        try:
            while not self._is_over(custom_ids):
                with self._changed:
                    if self._is_led:
                        self._changed.wait(_WAKE_S)
                        continue
                    self._is_led = True
                try:
                    self._lead(custom_ids)
                except BaseException as e:
                    self.stop(e)
                    raise
                finally:
                    with self._changed:
                        self._is_led = False
                        self._changed.notify_all()
            with self._changed:
                is_answered = any(custom_id in self._answers for custom_id in custom_ids)
                errors = [self._errors[custom_id] for custom_id in custom_ids if custom_id in self._errors]
            if errors and not is_answered:  # otherwise, answers are consumed first
                raise type(errors[0])(str(errors[0]))
        except BaseException:
            self._tell_what_is_left()
            raise
        finally:
            with self._changed:
                self._waiting -= 1

    def _is_over(self, custom_ids: set[str]) -> bool:
        """Return whether waiting is over. Raises KeyboardInterrupt after Ctrl-C, and the reason that stopped the queue."""
        if is_stop_requested():
            raise KeyboardInterrupt
        with self._changed:
            if isinstance(self._broken, BudgetExceeded):
                raise BudgetExceeded(str(self._broken))
            if self._broken is not None:
                raise self._broken
            if any(not custom_ids.isdisjoint(worker.wanted) for worker in self._workers.values()):
                return False
            waits = any(custom_id in self._pending for custom_id in custom_ids)
            return not waits or any(custom_id in self._answers for custom_id in custom_ids)

    def _lead(self, custom_ids: set[str]) -> None:
        """Advance the batches until the caller's own requests are answered."""
        while not self._is_over(custom_ids):
            get_ledger().check_time()
            with self._changed:
                all_wait = bool(self._pending) and self._waiting >= max(1, self._expected)
            if all_wait and time.time() >= self._submit_at:
                self._submit()
            for worker in list(self._workers.values()):
                if worker.next_at <= time.time():
                    self._go_on(worker)
            if self._is_over(custom_ids):
                return
            with self._changed:
                now = time.time()
                next_at = min([worker.next_at for worker in self._workers.values()], default=now + _WAKE_S)
                if next_at > now:
                    self._changed.wait(min(_WAKE_S, next_at - now))

    def _go_on(self, worker: BatchWorker) -> None:
        try:
            worker.step()
        except NoBatchAPI as e:
            hwarn(f"{e} The server has no batch API; requests are sent one by one, at the usual price.")
            self._drop_api(worker.batches.address)
            worker.is_gone = True
        if not worker.is_over:
            return
        record = worker.record
        began_at = record.began_at or record.created_at
        seconds = float(max(0, (record.ended_at or began_at) - began_at))
        with self._changed:
            self._submit_at = 0.0
            self._workers.pop(worker.key, None)
            get_ledger().release(worker.key)
            wanted, worker.wanted = worker.wanted, set()
            if worker.answers is not None:
                for custom_id in wanted:
                    line = worker.answers[custom_id]
                    if worker.is_old and line.is_failure:
                        self._spent.add((worker.key, custom_id))
                    else:
                        self._answers[custom_id] = _Answer(line, began_at, seconds, worker.key)
                self._ended[worker.key] = (worker, self.folder.left(worker.key) - self._settled)
                worker.answers = None
                self._note_limit(worker)
            elif worker.failure is not None:
                for custom_id in wanted:
                    line = LineAnswer(custom_id, failure=worker.failure)
                    self._answers[custom_id] = _Answer(line, began_at, 0.0, None)
                worker.release()
            else:
                if worker.error is not None:
                    self._errors.update((custom_id, worker.error) for custom_id in wanted)
                worker.release()
            self._changed.notify_all()

    def _drop_api(self, address: str) -> None:
        with self._changed:
            self._without_api.add(address)
            self._pending = {name: w for name, w in self._pending.items() if w.batches.address != address}

    def _note_limit(self, worker: BatchWorker) -> None:
        """Make batches smaller, and later, after one exceeded what may be enqueued at the provider."""
        record, place = worker.record, (worker.batches.address, worker.record.group)
        if record.problem_outcome == RATE_LIMITED:
            pause_s = min(2 * self._not_before.get(place, (0.0, self._poll_s / 2))[1], _LONGEST_PAUSE_S)
            self._not_before[place] = (time.time() + pause_s, pause_s)
            self._most[place] = max(1, record.num_requests // 2)

    def _tell_what_is_left(self) -> None:
        """Log once which batches continue at the provider, and what the user can do about them."""
        with self._changed:
            records = [worker.record for worker in self._workers.values() if worker.record.batch_id is not None]
            if self._has_told or not records:
                return
            self._has_told = True
        for record in records:
            hwarn(
                f"Batch {record.key} ({record.num_requests} requests, {record.batch_id}) continues at the provider. The same "
                f"command gets its answers later; `helm-batch cancel {record.key}` ends it."
            )

    # --- creating batches ---------------------------------------------------------------------------------------------

    def _submit(self) -> None:
        """Assign waiting requests to batches: to existing ones of any process that contain them, else to new ones."""
        with self._changed:
            waiting = dict(self._pending)
        with self.folder.deciding():
            waiting = self._join_batches(waiting)
            by_place: dict[tuple[str, str], list[_Wanted]] = {}
            for wanted in waiting.values():
                place = (wanted.batches.address, wanted.batches.group(wanted.item))
                by_place.setdefault(place, []).append(wanted)
            unaffordable: dict[str, Exception] = {}
            is_paused = False
            for place, members in by_place.items():
                if self._not_before.get(place, (0.0, 0.0))[0] > time.time():
                    is_paused = True
                    continue
                unaffordable.update(self._make_batches(place, members))
        with self._changed:
            self._submit_at = time.time() + self._poll_s
            if unaffordable and not self._workers and not is_paused:
                self._errors.update(unaffordable)
                for custom_id in unaffordable:
                    self._pending.pop(custom_id, None)

    def _join_batches(self, waiting: dict[str, _Wanted]) -> dict[str, _Wanted]:
        """Wait for the requests that are in a batch on disk, and return the others."""
        there: dict[tuple[str, str], BatchRecord] = {}
        for record in self.folder.records():
            if record.stage == DONE:
                continue
            if record.stage in (PREPARED, UPLOADING, UPLOADED) and record.key not in self._workers:
                lock = self.folder.try_lock(record.key)
                if lock is not None:  # its process died before anything was charged
                    self.folder.forget(record.key)
                    lock.release()
                    continue
            for custom_id in self.folder.ids(record.key):
                if (record.key, custom_id) not in self._spent:
                    there[record.address, custom_id] = record
        rest = {}
        for custom_id, wanted in waiting.items():
            found = there.get((wanted.batches.address, custom_id))
            if found is None:
                rest[custom_id] = wanted
                continue
            with self._changed:
                self._worker(found, wanted.batches).wanted.add(custom_id)
                self._pending.pop(custom_id, None)
        return rest

    def _worker(self, record: BatchRecord, batches: Batches) -> BatchWorker:
        """Return this process's worker for a batch on disk."""
        worker = self._workers.get(record.key)
        if worker is None:
            if record.key in self._ended:  # more of its answers are wanted now
                worker, _ = self._ended.pop(record.key)
            else:
                hlog(f"Batch {record.key} has requests of this command: {record.said or record.stage}.")
                worker = BatchWorker(self.folder, batches, record, self._poll_s, is_old=record.stage == ENDED)
            worker.next_at = 0.0
            self._workers[record.key] = worker
            get_ledger().reserve(record.key, record.expected_cost or 0.0, 0)
        return worker

    def _make_batches(self, place: tuple[str, str], members: list[_Wanted]) -> dict[str, Exception]:
        """Put requests to one address into new batches; return those that the budget does not allow, with the reason."""
        batches, ledger = members[0].batches, get_ledger()
        most = min(batches.max_requests, self._most.get(place, batches.max_requests))
        chunk: list[_Wanted] = []
        lines: list[bytes] = []
        size, cost, tokens, priced = 0, 0.0, 0, True
        left: dict[str, Exception] = {}

        def flush() -> None:
            nonlocal chunk, lines, size, cost, tokens, priced
            if chunk:
                self._prepare(place, chunk, lines, cost if priced else None, tokens)
            chunk, lines, size, cost, tokens, priced = [], [], 0, 0.0, 0, True

        for wanted in members:
            item = wanted.item
            line = batches.line(item)
            if len(line) + 1 > batches.max_bytes:
                with self._changed:
                    answer = LineAnswer(item.custom_id, failure=batches.too_large(item))
                    self._answers[item.custom_id] = _Answer(answer, int(time.time()), 0.0, None)
                    self._pending.pop(item.custom_id, None)
                continue
            item_cost, item_tokens = expected_cost(item, batches.price_share)
            try:
                ledger.check_room(cost + (item_cost or 0.0), tokens + item_tokens)
            except BudgetExceeded as e:
                left[item.custom_id] = e
                continue
            if len(chunk) >= most or size + len(line) + 1 > batches.max_bytes:
                flush()
            chunk.append(wanted)
            lines.append(line)
            size, tokens = size + len(line) + 1, tokens + item_tokens
            cost, priced = cost + (item_cost or 0.0), priced and item_cost is not None
        flush()
        return left

    def _prepare(
        self,
        place: tuple[str, str],
        chunk: list[_Wanted],
        lines: list[bytes],
        cost: float | None,
        tokens: int,
    ) -> None:
        first, custom_ids = chunk[0], [wanted.item.custom_id for wanted in chunk]
        record = BatchRecord(
            key=new_key(),
            provider=first.batches.provider,
            address=place[0],
            deployment=first.item.deployment,
            group=place[1],
            num_requests=len(chunk),
            expected_cost=cost,
            created_at=int(time.time()),
        )
        lock = self.folder.try_lock(record.key)
        self.folder.prepare(record, custom_ids, lines)
        get_ledger().reserve(record.key, cost or 0.0, tokens)
        worker = BatchWorker(self.folder, first.batches, record, self._poll_s, wanted=set(custom_ids), lock=lock)
        with self._changed:
            self._workers[record.key] = worker
            for custom_id in custom_ids:
                self._pending.pop(custom_id, None)


def expected_cost(item: BatchItem, batch_share: float) -> tuple[float | None, int]:
    """Estimate the US dollars (None if the price is unknown) and the tokens that a request will take."""
    number, most = item.allowed_tokens
    completion_tokens = round(number * expected_completion_tokens(most))
    cost = get_ledger().cost(item.deployment, item.prompt_tokens, completion_tokens, batch_share)
    return cost, item.prompt_tokens + completion_tokens


def _poll_s() -> float:
    text = os.environ.get(POLL_VARIABLE) or str(_DEFAULT_POLL_S)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ConfigError(f"{POLL_VARIABLE} takes a positive number of seconds, not '{text}'.")
    return seconds
