"""Stores every finished request of a run on disk at once, so that an interrupted run can resume.

The journal is a file of JSON lines in the run's folder: a header, then `[i]` when request i is sent and `[i, result]`
when it is answered. A line survives the death of the process (`helm.common.processes.append_log`). It is deleted when the run's
files are in place. The numbers of requests mean nothing without the header, so it is repeated in other pages of the file.

Worker processes that make a part of the requests append to files of their own beside it (`ShardJournal`), which have the
same header and lines, so that a result is on disk before anybody else has to read it.
"""

import glob
import hashlib
import json
import math
import os
import stat
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import requests_of
from helm.benchmark.subjects import kind_of_request
from helm.common.codec import structure, to_json_single_line
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hprogress, hwarn
from helm.common.object_spec import get_class_by_name
from helm.common.processes.append_log import AppendLog, stream_lines_around_damage
from helm.common.request import Request, RequestResult
from helm.results.run_files.run_folder import JOURNAL_FILE_NAME, JOURNAL_PART_PREFIX

_VERSION = 1
# Space is allocated ahead of the appends, so that a full disk shows before a request is sent and paid for.
_RESERVE_BYTES = 1 << 18
_FIRST_COPY_BYTES = 4096
"""The header is repeated after this many bytes, and again each time the file has doubled in length."""
_DAMAGES = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What a damaged line raises; RecursionError if it is nested too deeply."""


def iterate_request_texts(request_states: Iterable[RequestState]) -> Iterator[bytes]:
    """Yield a text for each request; two texts are equal if and only if the requests are."""
    import msgspec

    encode = msgspec.json.Encoder(decimal_format="string").encode
    for request in requests_of(request_states):
        try:
            text = encode(request)
        except (TypeError, ValueError, msgspec.MsgspecError):  # a value that only the standard library can encode
            text = to_json_single_line(request).encode()
        yield text


def request_texts(request_states: Iterable[RequestState]) -> list[bytes]:
    """Return `iterate_request_texts` as a list."""
    return list(iterate_request_texts(request_states))


if TYPE_CHECKING:
    from helm.common.spooled_values import SpooledValues

    Results = dict[int, Any] | SpooledValues[Any]
    """Results of a run by the number of their request."""
else:
    Results = Any


class RequestJournal:
    """The journal of one run.

    Args:
        run_path: the run's folder.
        fingerprint: of the run; with the requests it decides whether a journal found there belongs to this run.
    """

    def __init__(self, run_path: str, fingerprint: str):
        self.path = os.path.join(run_path, JOURNAL_FILE_NAME)
        self._fingerprint = fingerprint
        self._lock = threading.Lock()
        self._log: AppendLog | None = None
        self._results: Results = {}
        self._keep: Callable[[Any], Any] | None = None
        self._sent: set[int] = set()
        self._header = b""
        self._name = self.path
        self._next_copy = _FIRST_COPY_BYTES
        self.started_at = 0
        """Unix time, in whole seconds, at which the first attempt began."""

    def open(
        self,
        request_states: Sequence[RequestState],
        texts: list[bytes] | None = None,
        keep: Callable[[Any], Any] | None = None,
        results: Results | None = None,
    ) -> None:
        """Load what an earlier attempt finished, and prepare to append.

        Args:
            request_states: of the run.
            texts: avoids computing `request_texts`.
            keep: turns a recorded result into what is kept of it in memory.
            results: takes what is loaded, by number; None makes a dict for it.
        """
        self._keep = keep
        self._results = {} if results is None else results
        digest = hashlib.sha256(self._fingerprint.encode())
        for text in iterate_request_texts(request_states) if texts is None else texts:
            digest.update(text)
            digest.update(b"\n")
        self._name = f"{os.path.realpath(self.path)}:{digest.hexdigest()}"
        header = {"version": _VERSION, "fingerprint": digest.hexdigest(), "requests": len(request_states)}
        end = self._read(header, request_states)
        self._read_parts(header, request_states)
        if self._results:
            hprogress(
                f"Resuming: {len(self._results)} of {len(request_states)} requests were finished by an earlier attempt"
            )
        self._begin(end)
        is_new = end == 0
        if is_new:
            self.started_at = self.started_at or int(time.time())
        header["started_at"] = self.started_at
        self._header = json.dumps({**header, "checksum": zlib.crc32(json.dumps(header).encode())}).encode()
        while self._next_copy <= end:
            self._next_copy *= 2
        if is_new:
            self._append(self._header.decode())

    def _begin(self, end: int) -> None:
        """Prepare to append behind the first bytes of the file. Raises: HelmError."""
        try:
            file = open(self.path, "r+b" if end else "w+b")
            try:
                self._log = AppendLog(file, end, _RESERVE_BYTES)  # cuts off a half-written line
            except OSError:
                file.close()
                raise
        except OSError as e:
            raise self._failure(e) from e

    def _read(self, header: dict[str, Any], request_states: Sequence[RequestState]) -> int:
        """Load the finished results; returns the length in bytes of this run's part, up to its last complete line.

        Requests whose line is damaged are done again.
        """
        if not self._find_header(header):
            return 0
        position = end = 0
        damaged: list[int] = []
        for number, line in enumerate(self._stream_lines(), 1):
            position += len(line) + 1
            try:
                if _read_header(line) is None:
                    self._take(json.loads(line), request_states)
                end = position
            except _DAMAGES:
                damaged.append(number)
        if damaged:
            which = (
                f"line {damaged[0]} is"
                if len(damaged) == 1
                else f"{len(damaged)} lines are, from line {damaged[0]} on,"
            )
            hwarn(f"{self.path}: {which} damaged; these requests are sent again")
        return end

    @property
    def header(self) -> str:
        """The line that identifies the run, once the journal is open."""
        return self._header.decode()

    @property
    def name(self) -> str:
        """What the places of this run's requests begin with, see `place_of`."""
        return f"{self._name}:{self.started_at}"

    def new_part(self) -> str:
        """Return the path of a file for what a worker process finishes."""
        return os.path.join(os.path.dirname(self.path), f"{JOURNAL_PART_PREFIX}{os.urandom(4).hex()}")

    def read_parts(self, request_states: Sequence[RequestState]) -> None:
        """Load what worker processes have finished; those that are gone may not have told of all of it."""
        found = _read_header(self._header)
        assert found is not None, "The journal is not open"
        self._read_parts(found, request_states)

    def _read_parts(self, header: dict[str, Any], request_states: Sequence[RequestState]) -> None:
        for path in self._parts():
            lines = self._stream_lines(path)
            found = _read_header(next(lines, b""))
            if found is None or {**found, "started_at": None} != {**header, "started_at": None}:
                if found is not None:  # of other questions, as the journal itself then is
                    with suppress(FileNotFoundError):
                        os.unlink(path)
                continue
            self.started_at = self.started_at or found["started_at"]
            for line in lines:
                with suppress(*_DAMAGES):  # such a request is sent again
                    if _read_header(line) is None:
                        self._take(json.loads(line), request_states)

    def _parts(self) -> list[str]:
        return sorted(glob.glob(os.path.join(glob.escape(os.path.dirname(self.path)), f"{JOURNAL_PART_PREFIX}*")))

    def _find_header(self, header: dict[str, Any]) -> bool:
        """Take the start of the run from the header of this run; return False if there is none, and thus nothing to resume."""
        is_empty, has_others = True, False
        for line in self._stream_lines():
            is_empty = False
            found = _read_header(line)
            if found is not None and {**found, "started_at": None} == {**header, "started_at": None}:
                self.started_at = found["started_at"]
                return True
            has_others = has_others or found is not None
        if has_others:  # the recorded numbers refer to other questions
            hwarn(f"{self.path} belongs to a run with other requests; starting over")
        elif not is_empty:
            self._put_aside()
        return False

    def _put_aside(self) -> None:
        """Keep a journal whose run cannot be identified: its answers may have been paid for. Raises: HelmError."""
        stem = f"{self.path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
        aside, number = stem, 1
        while os.path.lexists(aside):
            number += 1
            aside = f"{stem}-{number}"
        try:
            os.rename(self.path, aside)
        except OSError as e:
            raise HelmError(f"{self.path} is damaged and cannot be put aside as {aside}: {e.strerror}.") from e
        hwarn(
            f"{self.path}: the lines that identify its run are damaged, so it is kept as {os.path.basename(aside)} and requests "
            "are sent again, except for those in the response cache."
        )

    def _take(self, entry: Any, request_states: Sequence[RequestState]) -> None:
        index = entry[0]
        if not isinstance(entry, list) or type(index) is not int or not 0 <= index < len(request_states):
            raise ValueError("not an entry")
        if len(entry) == 1:
            self._sent.add(index)
        else:
            result = structure(entry[1], result_type(request_states[index]))
            self._results[index] = result if self._keep is None else self._keep(result)

    def _stream_lines(self, path: str | None = None) -> Iterator[bytes]:
        """Yield the lines of the journal; none if there is no journal. Raises: HelmError when it cannot be read as a file."""
        path = self.path if path is None else path
        try:
            kind = os.lstat(path).st_mode
            if not stat.S_ISREG(kind):
                what = "folder" if stat.S_ISDIR(kind) else "link" if stat.S_ISLNK(kind) else "special file"
                raise HelmError(
                    f"{path} is a {what}, but the answers of the run must be kept in a file of this name until the run is "
                    "complete. Move it away."
                )
            with open(path, "rb") as file:
                yield from stream_lines_around_damage(file)
        except FileNotFoundError:
            return
        except OSError as e:
            raise HelmError(f"Cannot read {path}, where the answers of an earlier attempt are: {e.strerror}.") from e

    def _append(self, line: str) -> None:
        data = line.encode()
        with self._lock:
            assert self._log is not None, "The journal is not open"
            try:
                self._log.append(data)
            except OSError as e:
                raise self._failure(e) from e
            if self._log.end >= self._next_copy:
                self._next_copy *= 2
                with suppress(OSError):  # the line itself is written; the next write reports the problem
                    self._log.append(self._header)

    def _failure(self, error: OSError) -> HelmError:
        return HelmError(
            f"Cannot write {self.path}, where every answer is stored until its run is complete: {error.strerror}. What was "
            "answered so far is kept; once this is fixed, the same command continues from there."
        )

    def place_of(self, index: int) -> str:
        """Return a name for request `index` that no request of another run has, and that a resumed run gives it again."""
        return f"{self.name}:{index}"

    def result(self, index: int) -> Any | None:
        """Return the result that an earlier attempt recorded for request `index`, or None."""
        return self._results.get(index)

    def was_sent(self, index: int) -> bool:
        """Whether an earlier attempt sent request `index`. Without a result, it is unknown whether it was answered."""
        return index in self._sent

    def record_sent(self, index: int) -> None:
        """Record that a request is about to be sent. Raises: HelmError if the disk is full; do not send the request then."""
        self.record_all_sent([index])

    def record_all_sent(self, indices: Sequence[int]) -> None:
        """Record that several requests are about to be sent. Raises: HelmError, like `record_sent`."""
        log = self._log
        if log is not None and log.error is not None:
            raise self._failure(log.error)
        self._append("\n".join([f"[{index}]" for index in indices]))

    def record_result(self, index: int, result: Any) -> None:
        self.record_results([(index, result)])

    def record_results(self, results: Sequence[tuple[int, Any]]) -> None:
        """Record the results of several requests by their numbers: all of them, or none if there is no space."""
        self._append("\n".join([f"[{index},{result_text(result)}]" for index, result in results]))

    def close(self) -> None:
        if self._log is not None:
            self._log.close()
            self._log = None

    def delete(self) -> None:
        """Delete the journal once the run's files are written: there is nothing left to resume."""
        self.close()
        for path in [*self._parts(), self.path]:  # the journal last: without it the run counts as complete
            with suppress(FileNotFoundError):
                os.unlink(path)


def _read_header(line: bytes) -> dict[str, Any] | None:
    """Parse an intact header with whole seconds in `started_at`; None for anything else. Old versions had no checksum."""
    if not line.startswith(b'{"version"'):
        return None
    try:
        found = json.loads(line)
        checksum = found.pop("checksum", None)
        if checksum is not None and checksum != zlib.crc32(json.dumps(found).encode()):
            return None
        return {**found, "started_at": int(found["started_at"])}
    except _DAMAGES:
        return None


def result_type(state: RequestState) -> type:
    """Return the class of the result that belongs to a request."""
    if isinstance(state.request, Request):
        return RequestResult
    return get_class_by_name(kind_of_request(getattr(state.request, "kind", None)).result_type)


@cache
def _result_encoder() -> Callable[[RequestResult], bytes]:
    import msgspec

    return msgspec.json.Encoder().encode


def result_text(result: Any) -> str:
    """Return the result as one line of JSON. msgspec is ten times faster, but cannot write infinities and NaN."""
    total = math.inf
    if isinstance(result, RequestResult):
        total = 0.0
        for completion in result.completions:
            total += completion.logprob + sum([token.logprob for token in completion.tokens])
    if math.isfinite(total):
        try:
            return _result_encoder()(result).decode()
        except (TypeError, ValueError):  # a value that only the standard library can encode
            pass
    return to_json_single_line(result)
