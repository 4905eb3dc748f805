"""The transcript of an episode: a list of events, each on disk as soon as it has happened."""

import hashlib
import json
import os
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.processes.append_log import AppendLog, read_lines

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
            self.earlier = _furthest_attempt(lines[1:])
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
    return _furthest_attempt(lines[1:]) if is_ours else []


def _furthest_attempt(lines: list[Any]) -> list[Event]:
    """Return the events of the last attempt, or of the one before it if that went further on the same way."""
    objects = [line for line in lines if isinstance(line, dict)]
    earlier = [line[_EARLIER] for line in objects if _EARLIER in line]
    last = [line for line in objects if _EARLIER not in line]
    has_diverged = any(event.get("kind") == DIVERGENCE for event in last)
    return last if has_diverged or len(last) >= len(earlier) else earlier


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
