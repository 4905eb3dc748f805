"""What is known of submitted batches, on disk, so that every process that shares the folder can go on with them.

    KEY.json             the record: where the batch is, and how far it has come
    KEY.ids              the names of its requests, one a line
    KEY.requests.jsonl   what is sent
    KEY.results.jsonl    what came back
    KEY.taken            the names of the requests whose answers were taken over, one a line
    KEY.lock             held by the process that takes care of the batch, for as long as it lives
    folder.lock          held while it is decided what goes into which batch

A record is written before and after everything that the provider is told to do. When all answers are in the response
cache only the record is left.
"""

import json
import os
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from helm.common.errors import HelmError, suggest
from helm.common.files import open_atomically, write_text_atomically
from helm.common.hierarchical_logger import hwarn
from helm.common.processes.file_lock import FileLock, file_lock, try_file_lock

FOLDER = "batches"

PREPARED = "prepared"
UPLOADING = "uploading"
UPLOADED = "uploaded"
CREATING = "creating"
SUBMITTED = "submitted"
ENDED = "ended"
DONE = "done"

STAGES = {
    PREPARED: "nothing is sent yet",
    UPLOADING: "the file may have been sent",
    UPLOADED: "the file is sent",
    CREATING: "the batch may have been made",
    SUBMITTED: "the provider works on it",
    ENDED: "the answers are in this folder",
    DONE: "the answers are in the response cache",
}
"""How far a batch can have come, and what that means."""

_VERSION = 1


class BatchError(HelmError):
    """A batch cannot be gone on with."""


@dataclass(frozen=True)
class BatchRecord:
    """One batch. The order of the fields is their order in the file."""

    key: str
    """Our name of it; also in the provider's metadata where there is a place for it."""

    provider: str
    """Which API."""

    address: str
    """Of the endpoint, without credentials."""

    deployment: str
    """One of those that are asked."""

    group: str
    """What its requests have in common."""

    num_requests: int

    expected_cost: float | None
    """US dollars; None: the price is not known."""

    created_at: int
    """Of this record, in whole seconds since 1970, as all times here."""

    stage: str = PREPARED
    """One of `STAGES`."""

    file_id: str | None = None

    batch_id: str | None = None

    tried_at: int | None = None
    """When the last try to make the batch began."""

    said: str | None = None
    """What the provider said of it last."""

    num_done: int = 0

    num_failed: int = 0

    began_at: int | None = None

    ended_at: int | None = None

    problem: str | None = None
    """Why not one request was tried."""

    problem_outcome: str | None = None

    bad_lines: dict[str, str] = field(default_factory=dict)
    """Requests that the provider does not take, and why."""

    not_ours: list[str] = field(default_factory=list)
    """Batches that were taken for this one and are not."""

    version: int = _VERSION


class BatchFolder:
    """The batches of a folder.

    Args:
        path: the folder; made when the first batch is.
    """

    def __init__(self, path: str):
        self.path = path

    def file(self, key: str, kind: str) -> str:
        """Path of a file of a batch; `kind` is what is behind the key."""
        return os.path.join(self.path, f"{key}.{kind}")

    # --- records ------------------------------------------------------------------------------------------------------

    def records(self) -> list[BatchRecord]:
        """All of them, oldest first."""
        if not os.path.isdir(self.path):
            return []
        keys = sorted(name.removesuffix(".json") for name in os.listdir(self.path) if name.endswith(".json"))
        found = [self.read(key) for key in keys if not key.startswith(".")]
        return sorted((record for record in found if record is not None), key=lambda record: record.created_at)

    def read(self, key: str) -> BatchRecord | None:
        """None: there is none (any more). Raises: BatchError when its file is damaged."""
        path = self.file(key, "json")
        try:
            with open(path, encoding="utf-8") as file:
                values = json.load(file)
            if values.get("version") != _VERSION:
                raise BatchError(f"{path} is of version {values.get('version')}, and this helm reads {_VERSION}.")
            return BatchRecord(**values)
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, AttributeError) as e:
            raise BatchError(f"{path} is damaged: {e}. helm-batch forget {key} forgets this batch.") from e

    def get(self, key: str) -> BatchRecord:
        """The record that the user names. Raises: BatchError with the nearest name."""
        record = self.read(key)
        if record is None:
            known = [r.key for r in self.records()]
            raise BatchError(f"{self.path} has no batch '{key}'.{suggest(key, known)}")
        return record

    def write(self, record: BatchRecord, **changes: Any) -> BatchRecord:
        """Put a record on disk, changed; returns it."""
        record = replace(record, **changes)
        with self._writing(record.key, "json") as path:
            write_text_atomically(path, json.dumps(asdict(record), indent=1))
        return record

    def forget(self, key: str) -> None:
        """Remove everything about a batch; the record first."""
        for kind in ("json", "requests.jsonl", "ids", "results.jsonl", "taken", "lock"):
            self._remove(key, kind)
        self._remove_leftovers(key)

    def finish(self, record: BatchRecord) -> BatchRecord:
        """All answers are in the response cache."""
        record = self.write(record, stage=DONE)
        for kind in ("requests.jsonl", "ids", "results.jsonl", "taken"):
            self._remove(record.key, kind)
        self._remove_leftovers(record.key)
        return record

    def has(self, key: str) -> bool:
        """Whether there is a record, readable or not."""
        return os.path.exists(self.file(key, "json"))

    @contextmanager
    def _writing(self, key: str, kind: str) -> Iterator[str]:
        """Raises: BatchError instead of what the system says when it is not possible."""
        path = self.file(key, kind)
        try:
            yield path
        except OSError as e:
            raise BatchError(
                f"Cannot write {path}: {e.strerror}. When that is mended, the same command goes on with batch {key}."
            ) from e

    def _remove_leftovers(self, key: str) -> None:
        """Of a process that was killed while it wrote; for the holder of the batch's lock."""
        for name in os.listdir(self.path):
            if name.startswith(f".{key}."):
                os.unlink(os.path.join(self.path, name))

    def _remove(self, key: str, kind: str) -> None:
        try:
            os.unlink(self.file(key, kind))
        except FileNotFoundError:
            pass

    # --- what is in them ----------------------------------------------------------------------------------------------

    def prepare(self, record: BatchRecord, custom_ids: Sequence[str], lines: Iterable[bytes]) -> BatchRecord:
        """Put a new batch on disk, the record last."""
        with self._writing(record.key, "requests.jsonl") as path, open_atomically(path, binary=True) as file:
            for line in lines:
                file.write(line + b"\n")
        with self._writing(record.key, "ids") as path:
            write_text_atomically(path, "".join(f"{name}\n" for name in custom_ids))
        return self.write(record)

    def ids(self, key: str) -> list[str]:
        """The names of the requests of a batch, in the order of its lines; none when the batch is done."""
        return self._names(key, "ids")

    def note_taken(self, key: str, custom_id: str) -> None:
        """The answer to a request of a batch is in the response cache, or was a failure for good.

        A later process may get the same answer from the journal of a run, and never ask for it.
        """
        with self._writing(key, "taken") as path, open(path, "a", encoding="ascii") as file:
            file.write(f"{custom_id}\n")

    def left(self, key: str) -> set[str]:
        """The names of the requests whose answers nobody has taken over yet."""
        return set(self.ids(key)).difference(self._names(key, "taken"))

    def _names(self, key: str, kind: str) -> list[str]:
        try:
            with open(self.file(key, kind), encoding="ascii") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def write_results(self, key: str, parts: Iterable[bytes]) -> None:
        with self._writing(key, "results.jsonl") as path, open_atomically(path, binary=True) as file:
            for part in parts:
                file.write(part)
                if part and not part.endswith(b"\n"):
                    file.write(b"\n")

    def results(self, key: str) -> Iterator[bytes]:
        """The lines that came back; none when the batch is done."""
        try:
            with open(self.file(key, "results.jsonl"), "rb") as file:
                yield from (line for line in file if line.strip())
        except FileNotFoundError:
            return

    # --- locks --------------------------------------------------------------------------------------------------------

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Inside, no other process decides what goes into which batch."""
        try:
            os.makedirs(self.path, exist_ok=True)
        except OSError as e:
            raise BatchError(f"Cannot keep batches in {self.path}: {e.strerror}.") from e
        with file_lock(os.path.join(self.path, "folder.lock"), f"batches of {self.path}"):
            self._remove_orphans()
            yield

    def try_lock(self, key: str) -> FileLock | None:
        """The right to go on with a batch; None: a living process has it."""
        return try_file_lock(self.file(key, "lock"))

    def _remove_orphans(self) -> None:
        """What a process left that was killed before it had written the record."""
        names = os.listdir(self.path)
        keys = {name.removesuffix(".json") for name in names if name.endswith(".json")}
        for name in names:
            key, _, kind = name.lstrip(".").partition(".")
            is_ours = kind.startswith(("requests.jsonl", "ids", "results.jsonl", "taken"))
            if is_ours and key not in keys:
                hwarn(f"{self.path}: removing {name}, which a killed process left.")
                os.unlink(os.path.join(self.path, name))


def new_key() -> str:
    """A name that no other batch has, and that sorts by time."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(4)}"
