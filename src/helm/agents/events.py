"""The transcript of an episode: a list of events, each on disk as soon as it has happened."""

import hashlib
import json
import os
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.processes.append_log import AppendLog, read_lines
from helm.common.request import FILTERED

MESSAGE = "message"
MODEL = "model"
TOOL_CALL = "tool_call"
TOOL_RESULT = "tool_result"
USER = "user"
ENVIRONMENT = "environment"
INJECTION = "injection"
COMPACTION = "compaction"
LIMIT = "limit"
SUBMIT = "submit"
SCORE = "score"
ERROR = "error"
DIVERGENCE = "divergence"

EVENT_KINDS = (
    MESSAGE,
    MODEL,
    TOOL_CALL,
    TOOL_RESULT,
    USER,
    ENVIRONMENT,
    INJECTION,
    COMPACTION,
    LIMIT,
    SUBMIT,
    SCORE,
    ERROR,
    DIVERGENCE,
)

Event = dict[str, Any]
"""`n` (from 0), `t` (seconds since the start of the episode), `kind`, and the fields of the kind."""

_ANSWERED = ("ok", "truncated", FILTERED)
"""Outcomes of calls that were paid for."""

_VERSION = 1
_EARLIER = "earlier"


def sha256_of(value: Any) -> str:
    """Return the hash of a text, or of a JSON value with sorted keys."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class EpisodeJournal:
    """The events of one running episode, in a file that survives the death of this process.

    Each line is a checksum and a JSON value; the first one names the request. The file is deleted when the result of the
    episode is recorded. An interrupted episode is run again from its beginning; until it has gone further than before, the
    file holds the earlier events as well (`{"earlier": event}`), so that a second interruption loses nothing.

    Args:
        path: the file.
        request_sha256: identifies the request. A file that belongs to another one is started over.
    """

    def __init__(self, path: str, request_sha256: str):
        self.path = path
        self.earlier: list[Event] = []
        """What an interrupted attempt recorded."""
        header = {"version": _VERSION, "request": request_sha256}
        lines = _read(path)
        if lines and lines[0] == header:
            self.earlier = _earlier_events(lines[1:])
        new_path = f"{path}.new"
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self._log = AppendLog(open(new_path, "w+b"))
            self._log.append(_line(header))
            for event in self.earlier:
                self._log.append(_line({_EARLIER: event}))
            os.replace(new_path, path)
        except OSError as e:
            raise HelmError(f"Cannot write {path}, where the events of an episode are kept: {e.strerror}.") from e
        self._lock = threading.Lock()

    def append(self, event: Event) -> None:
        """Write an event. Raises: HelmError when the disk is full."""
        with self._lock:
            try:
                self._log.append(_line(event))
            except OSError as e:
                raise HelmError(f"Cannot write {self.path}: {e.strerror}. The episode continues from there.") from e

    def close(self) -> None:
        """Close the file, which stays."""
        self._log.close()


def delete_journal(path: str) -> None:
    """Delete the journal of an episode whose result is recorded."""
    with suppress(FileNotFoundError):
        os.unlink(path)


def read_events(path: str) -> list[Event]:
    """Return the events of a running or interrupted episode; none if the file is missing or of another format."""
    lines = _read(path)
    is_ours = bool(lines) and isinstance(lines[0], dict) and lines[0].get("version") == _VERSION
    return _earlier_events(lines[1:]) if is_ours else []


def _earlier_events(lines: list[Any]) -> list[Event]:
    objects = [line for line in lines if isinstance(line, dict)]
    earlier = [line[_EARLIER] for line in objects if _EARLIER in line]
    return join_attempts(earlier, [line for line in objects if _EARLIER not in line])


def join_attempts(earlier: Sequence[Event], last: Sequence[Event]) -> list[Event]:
    """Return what is known of an episode after a further attempt: no answer of either is lost, unless the last one diverged.

    The attempt with more answers and results comes first, whose results later ones are compared with, and then the answers that
    only the other one has. Lengths say nothing, since failed calls are events, too.

    Args:
        earlier: events known before.
        last: events of the last attempt, which was given the answers of `earlier`.
    """
    if any(event.get("kind") == DIVERGENCE for event in last):
        return list(last)
    first, other = (last, earlier) if _progress(last) >= _progress(earlier) else (earlier, last)
    known = Counter(event.get("request_sha256") for event in first if is_answer(event))
    missing = []
    for event in filter(is_answer, other):
        if known[event.get("request_sha256")]:
            known[event.get("request_sha256")] -= 1
        else:
            missing.append(event)
    return [*first, *missing]


def is_answer(event: Event) -> bool:
    """Whether an event is the answer of a model, which was paid for."""
    return event.get("kind") == MODEL and event.get("request_outcome") in _ANSWERED


def _progress(attempt: Sequence[Event]) -> tuple[int, int, int]:
    answers = sum(map(is_answer, attempt))
    results = sum(event.get("kind") == TOOL_RESULT for event in attempt)
    return answers, results, len(attempt)


def _line(value: Any) -> bytes:
    data = json.dumps(value, separators=(",", ":")).encode()
    return b"%08x %s" % (zlib.crc32(data), data)


def _read(path: str) -> list[Any]:
    """Return the values of a journal up to the first damaged line."""
    try:
        with open(path, "rb") as file:
            lines = read_lines(file)
    except FileNotFoundError:
        return []
    values = []
    for number, line in enumerate(lines, 1):
        checksum, _, data = line.partition(b" ")
        if checksum != b"%08x" % zlib.crc32(data):
            hwarn(f"{path}: line {number} is damaged; the episode continues from there")
            break
        values.append(json.loads(data))
    return values


class EventLog:
    """The events of one episode, in order.

    Args:
        journal: where they are kept; None keeps them in memory only.
        watch: called with each event.
    """

    def __init__(self, journal: EpisodeJournal | None = None, watch: Callable[[Event], None] | None = None):
        self.events: list[Event] = []
        self._journal, self._watch = journal, watch
        self._started = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start of the episode."""
        return time.monotonic() - self._started

    def add(self, kind: str, **fields: Any) -> Event:
        """Append an event. Raises: HelmError when it cannot be written."""
        event = {"n": len(self.events), "t": round(self.elapsed_s, 6), "kind": kind, **fields}
        self.events.append(event)
        if self._journal is not None:
            self._journal.append(event)
        if self._watch is not None:
            self._watch(event)
        return event

    def of_kind(self, kind: str) -> list[Event]:
        """Return the events of a kind."""
        return [event for event in self.events if event["kind"] == kind]
