"""Advances one batch from any stage, one step at a time."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from helm.clients.batch.batch_folder import (
    CREATING,
    DONE,
    ENDED,
    PREPARED,
    SUBMITTED,
    UPLOADED,
    UPLOADING,
    BatchError,
    BatchFolder,
    BatchRecord,
)
from helm.clients.batch.batches import ENDED as HAS_ENDED
from helm.clients.batch.batches import Batches, BatchStatus, LineAnswer
from helm.clients.http.http_endpoint import max_retries
from helm.clients.http.request_failure import RequestFailure, decoded, shortened
from helm.common.formats.json_reading import read_json
from helm.common.hierarchical_logger import hprogress, hwarn
from helm.common.processes.file_lock import FileLock
from helm.common.request import CANCELLED, MALFORMED, RATE_LIMITED, REFUSED, SERVER, TIMED_OUT

# A download that lacks answers is repeated, since results may appear late; after three, they are considered missing.
_MOST_DOWNLOADS = 3
# Providers promise results within 24 hours; after twice that, the user should decide.
_LONGEST_S = 48 * 3600.0
_LONGEST_PAUSE_S = 600.0


class NoBatchAPI(Exception):
    """The server has no batch API."""


@dataclass
class BatchWorker:
    """One batch in this process. `step` sets `answers`, `failure` or `error`, or else the time of the next step."""

    folder: BatchFolder

    batches: Batches

    record: BatchRecord

    poll_s: float
    """Seconds between two polls of the batch."""

    wanted: set[str] = field(default_factory=set)
    """Requests whose answers this process waits for."""

    is_old: bool = False
    """Whether the batch had ended before this command began. Its failed requests are retried, as by any new command."""

    lock: FileLock | None = None
    """The lock of the batch; None while another process manages it."""

    next_at: float = 0.0
    """The time of the next step, as by time.time()."""

    answers: dict[str, LineAnswer] | None = None
    """The answers to the wanted requests, once the batch has ended."""

    failure: RequestFailure | None = None
    """Why the batch could not be created."""

    error: BatchError | None = None
    """The problem that only the user can solve."""

    is_gone: bool = False
    """Whether another process has finished or removed the batch, so that the cache must be asked again."""

    _num_creates: int = 0
    _num_refusals: int = 0
    _num_downloads: int = 0

    @property
    def key(self) -> str:
        return self.record.key

    @property
    def is_over(self) -> bool:
        return self.answers is not None or self.failure is not None or self.error is not None or self.is_gone

    def release(self) -> None:
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    def step(self) -> None:
        """Advance the batch by one step. Raises NoBatchAPI or KeyboardInterrupt."""
        if self.lock is None and not self._take_over():
            return
        try:
            _STEPS[self.record.stage](self)
        except BatchError as e:
            self.error = e

    def _take_over(self) -> bool:
        """Return whether this process manages the batch now."""
        self.lock = self.folder.try_lock(self.key)
        record = self.folder.read(self.key)
        if record is None:
            self.is_gone = True
            self.release()
            return False
        self.record = record
        if self.lock is not None:
            return True
        if record.stage == ENDED:
            self._load()
        elif record.stage == DONE:
            self.is_gone = True
        else:
            self._pause(self.poll_s)
        return False

    def _pause(self, seconds: float) -> None:
        self.next_at = time.time() + seconds

    def _write(self, **changes: object) -> None:
        self.record = self.folder.write(self.record, **changes)

    # --- creation -----------------------------------------------------------------------------------------------------

    def _upload(self) -> None:
        self._write(stage=UPLOADING)
        try:
            file_id = self.batches.upload(self.key, self.folder.file(self.key, "requests.jsonl"))
        except RequestFailure as failure:
            self._give_up(failure)
            return
        self._write(stage=UPLOADED, file_id=file_id)

    def _create(self) -> None:
        record = self.record
        self._num_creates += 1
        self._write(stage=CREATING, tried_at=int(time.time()))
        try:
            path = self.folder.file(self.key, "requests.jsonl")
            batch_id = self.batches.create(self.key, path, record.group, record.file_id)
        except RequestFailure as failure:
            self._take_failed_create(failure)
            return
        self._submitted(batch_id)

    def _submitted(self, batch_id: str) -> None:
        self._write(stage=SUBMITTED, batch_id=batch_id)
        hprogress(
            f"Batch {self.key}: {self.record.num_requests} requests of {self.record.deployment} are with the provider "
            f"({batch_id}). That may take up to a day; Ctrl-C leaves it running, and the same command continues from there."
        )
        self._pause(self.poll_s)

    def _take_failed_create(self, failure: RequestFailure) -> None:
        if failure.outcome == RATE_LIMITED:
            self._num_refusals += 1
            if self._num_refusals > max_retries(RATE_LIMITED):
                self._give_up(failure)
                return
            self._write(stage=UPLOADED)
            pause_s = min(self.poll_s * 2**self._num_refusals, _LONGEST_PAUSE_S)
            self._pause(max(pause_s, failure.retry_after_s or 0.0))
        elif failure.outcome in (SERVER, TIMED_OUT, MALFORMED):
            hwarn(f"Batch {self.key}: {failure.message} It may have been made; looking for it.")
            self._write(tried_at=int(time.time()))
            self._pause(0.0)
        else:
            self._give_up(failure)

    def _find(self) -> None:
        """Look for the batch at the provider after an attempt with an unknown outcome."""
        record = self.record
        others = [r.batch_id for r in self.folder.records() if r.batch_id is not None]
        try:
            batch_id = self.batches.find(
                self.key, record.file_id, record.num_requests, record.created_at, [*others, *record.not_ours]
            )
        except RequestFailure as failure:
            self._wait_out(failure)
            return
        if batch_id is not None:
            self._submitted(batch_id)
        elif time.time() < (record.tried_at or 0) + 3 + 2 * self.poll_s:
            self._pause(self.poll_s)  # lists may lag behind, and the time of the try is in whole seconds
        elif self._num_creates > max_retries(SERVER):
            cause = f"the batch could not be made in {self._num_creates} tries."
            self.failure = self.batches.endpoint.failure(SERVER, "", cause)
            self.failure.is_retriable = False
        else:
            self._create()

    def _give_up(self, failure: RequestFailure) -> None:
        """Give up a batch that was not created and costs nothing."""
        self.folder.forget(self.key)
        if failure.is_missing_route:
            raise NoBatchAPI(failure.message)
        failure.is_retriable = False
        self.failure = failure

    # --- waiting ------------------------------------------------------------------------------------------------------

    def _poll(self) -> None:
        record = self.record
        assert record.batch_id is not None
        try:
            status = self.batches.poll(record.batch_id)
        except RequestFailure as failure:
            self._wait_out(failure)
            return
        if (status.said, status.num_done, status.num_failed) != (record.said, record.num_done, record.num_failed):
            counts = f"{status.num_done} of {record.num_requests} answered, {status.num_failed} failed"
            hprogress(f"Batch {self.key}: {status.said}, {counts}")
            self._write(said=status.said, num_done=status.num_done, num_failed=status.num_failed)
        if status.phase == HAS_ENDED:
            self._fetch(status)
        elif time.time() - record.created_at > _LONGEST_S:
            raise BatchError(
                f"Batch {self.key} is still {status.said} after {_LONGEST_S / 3600:g} h. helm-batch cancel {self.key} ends it, "
                "and the same command then uses the answers that are available."
            )
        else:
            self._pause(self.poll_s)

    def _wait_out(self, failure: RequestFailure) -> None:
        """Poll again later after a failed poll, which says nothing about the batch itself."""
        if failure.outcome in (REFUSED,) or failure.stops_endpoint or not failure.is_retriable:
            raise BatchError(
                f"Batch {self.key} ({self.record.batch_id}) cannot be polled: {failure.message} Its state is kept: with the "
                f"key it was created with, the same command resumes. helm-batch forget {self.key} gives it up, and then its "
                "requests are sent, and paid for, again."
            )
        if time.time() - self.record.created_at > _LONGEST_S:
            raise BatchError(f"Batch {self.key}: the provider cannot be reached: {failure.message}")
        hwarn(f"Batch {self.key}: {failure.message} Asking again in {self.poll_s:g} s.")
        self._pause(self.poll_s)

    # --- reading the answers ------------------------------------------------------------------------------------------

    def _fetch(self, status: BatchStatus) -> None:
        assert self.record.batch_id is not None
        try:
            parts = [self.batches.download(self.record.batch_id, file) for file in status.files]
        except RequestFailure as failure:
            self._wait_out(failure)
            return
        self._num_downloads += 1
        num_broken, found = _survey(self.batches, parts)
        ids = self.folder.ids(self.key)
        if (num_broken or len(found) < status.num_done) and self._num_downloads < _MOST_DOWNLOADS:
            hwarn(
                f"Batch {self.key}: {len(found)} answers arrived, {num_broken} lines are broken, and there should be "
                f"{status.num_done} answers; downloading again."
            )
            self._pause(self.poll_s)
            return
        if found and not found & set(ids):
            hwarn(f"Batch {self.key}: {self.record.batch_id} is a different batch; looking for ours.")
            self._write(
                stage=CREATING, batch_id=None, said=None, not_ours=[*self.record.not_ours, self.record.batch_id]
            )
            return
        self.folder.write_results(self.key, parts)
        problem = status.problem
        self._write(
            stage=ENDED,
            began_at=status.began_at,
            ended_at=status.ended_at or int(time.time()),
            problem=problem.message if problem else None,
            problem_outcome=problem.outcome if problem else None,
            bad_lines={ids[line - 1]: text for line, text in status.bad_lines if 0 < line <= len(ids)},
        )
        self._load()

    def _load(self) -> None:
        """Load the answers from disk."""
        answers: dict[str, LineAnswer] = {}
        num_unknown = 0
        ids = set(self.folder.ids(self.key))
        for line in self.folder.results(self.key):
            answer = _read(self.batches, line)
            if answer is None or answer.custom_id not in ids:
                num_unknown += 1
            elif answer.custom_id in self.wanted:
                answers.setdefault(answer.custom_id, answer)  # a repeated line counts once
        if num_unknown:
            hwarn(f"Batch {self.key}: {num_unknown} lines of the results belong to no request, and are left out.")
        for custom_id in self.wanted - answers.keys():
            answers[custom_id] = LineAnswer(custom_id, failure=self._missing(custom_id))
        self.answers = answers

    def _missing(self, custom_id: str) -> RequestFailure:
        """Return the reason why the results have no line for a request."""
        record, endpoint = self.record, self.batches.endpoint
        where = f"batch {record.batch_id}"
        if record.bad_lines:
            text = record.bad_lines.get(custom_id)
            if text is not None:
                return endpoint.failure(REFUSED, "", f"{where}: {text}")
            return endpoint.failure(SERVER, "", f"{where} was not begun, because of other requests in it.")
        if record.problem is not None and record.problem_outcome is not None:
            return RequestFailure(record.problem_outcome, record.problem)
        said = str(record.said)
        outcome = CANCELLED if said.startswith("cancel") else TIMED_OUT if said == "expired" else MALFORMED
        return endpoint.failure(outcome, "", f"{where} ({said}) has no answer to this request.")

    def _note_done(self) -> None:
        self.is_gone = True


_STEPS: dict[str, Callable[[BatchWorker], None]] = {
    PREPARED: BatchWorker._upload,
    UPLOADING: BatchWorker._upload,
    UPLOADED: BatchWorker._create,
    CREATING: BatchWorker._find,
    SUBMITTED: BatchWorker._poll,
    ENDED: BatchWorker._load,
    DONE: BatchWorker._note_done,
}


def _read(batches: Batches, line: bytes) -> LineAnswer | None:
    """Read a line of the results; return None, with a warning, if it is malformed."""
    try:
        return batches.read_line(read_json(line))
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        quoted = shortened(decoded(line[:1000]), batches.endpoint.secret)
        hwarn(f"A line of a batch's results is malformed ({e!r}): {quoted}")
        return None


def _survey(batches: Batches, parts: list[bytes]) -> "tuple[int, set[str]]":
    """Return the number of broken lines, and the requests that have an intact one."""
    num_broken, found = 0, set()
    for part in parts:
        for line in part.splitlines():
            if line.strip():
                answer = _read(batches, line)
                if answer is None:
                    num_broken += 1
                else:
                    found.add(answer.custom_id)
    return num_broken, found
