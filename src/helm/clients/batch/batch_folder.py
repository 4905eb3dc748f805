"""The state of submitted batches on disk, so that every process that shares the folder can continue them.

    KEY.json             the record: where the batch is, and how far it has progressed
    KEY.ids              the names of its requests, one per line
    KEY.requests.jsonl   the requests
    KEY.results.jsonl    the results
    KEY.taken            the names of the requests whose answers were consumed, one per line
    KEY.lock             held by the process that manages the batch, for as long as it lives
    folder.lock          held while requests are assigned to batches

A record is written before and after every call that changes something at the provider. When all answers are in the response
cache, only the record is left.
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
"""The stages of a batch and their meanings."""

_VERSION = 1


class BatchError(HelmError):
    """A batch cannot be continued."""


@dataclass(frozen=True)
class BatchRecord:
    """One batch. The fields are written to the file in this order."""

    key: str
    """Our name of the batch, also in the provider's metadata if the API has a field for it."""

    provider: str
    """The name of the API."""

    address: str
    """The address of the endpoint, without credentials."""

    deployment: str
    """One of the deployments that the requests are for."""

    group: str
    """What all its requests have in common; see `Batches.group`."""

    num_requests: int

    expected_cost: float | None
    """In US dollars; None if the price is unknown."""

    created_at: int
    """When this record was created, in whole seconds since 1970, like all times here."""

    stage: str = PREPARED
    """One of `STAGES`."""

    file_id: str | None = None

    batch_id: str | None = None

    tried_at: int | None = None
    """When the last attempt to create the batch began."""

    said: str | None = None
    """The last status reported by the provider."""

    num_done: int = 0

    num_failed: int = 0

    began_at: int | None = None

    ended_at: int | None = None

    problem: str | None = None
    """Why none of the requests was tried."""

    problem_outcome: str | None = None

    bad_lines: dict[str, str] = field(default_factory=dict)
    """Requests that the provider rejects, with the reasons."""

    not_ours: list[str] = field(default_factory=list)
    """Batches of the provider that were mistaken for this one."""

    version: int = _VERSION


class BatchFolder:
    """The batches of a folder.

    Args:
        path: the folder, created with the first batch.
    """

    def __init__(self, path: str):
        self.path = path

    def file(self, key: str, kind: str) -> str:
        """Return the path of a file of a batch; `kind` is the part of the name after the key."""
        return os.path.join(self.path, f"{key}.{kind}")

    # --- records ------------------------------------------------------------------------------------------------------

    def records(self) -> list[BatchRecord]:
        """Return all records, oldest first."""
        if not os.path.isdir(self.path):
            return []
        keys = sorted(name.removesuffix(".json") for name in os.listdir(self.path) if name.endswith(".json"))
        found = [self.read(key) for key in keys if not key.startswith(".")]
        return sorted((record for record in found if record is not None), key=lambda record: record.created_at)

    def read(self, key: str) -> BatchRecord | None:
        """Return a record, or None if it does not exist (any more). Raises BatchError if its file is damaged."""
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
        """Return the record that a user names. Raises BatchError with the nearest name."""
        record = self.read(key)
        if record is None:
            known = [r.key for r in self.records()]
            raise BatchError(f"{self.path} has no batch '{key}'.{suggest(key, known)}")
        return record

    def write(self, record: BatchRecord, **changes: Any) -> BatchRecord:
        """Write a record with some fields changed, and return it."""
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
        """Mark a batch as done: all its answers are in the response cache."""
        record = self.write(record, stage=DONE)
        for kind in ("requests.jsonl", "ids", "results.jsonl", "taken"):
            self._remove(record.key, kind)
        self._remove_leftovers(record.key)
        return record

    def has(self, key: str) -> bool:
        """Return whether there is a record, readable or not."""
        return os.path.exists(self.file(key, "json"))

    @contextmanager
    def _writing(self, key: str, kind: str) -> Iterator[str]:
        """Yield the path of a file to write, and convert an OSError to a BatchError."""
        path = self.file(key, kind)
        try:
            yield path
        except OSError as e:
            raise BatchError(
                f"Cannot write {path}: {e.strerror}. Once that is fixed, the same command resumes batch {key}."
            ) from e

    def _remove_leftovers(self, key: str) -> None:
        """Remove temporary files of a process that was killed while writing. The caller holds the batch's lock."""
        for name in os.listdir(self.path):
            if name.startswith(f".{key}."):
                os.unlink(os.path.join(self.path, name))

    def _remove(self, key: str, kind: str) -> None:
        try:
            os.unlink(self.file(key, kind))
        except FileNotFoundError:
            pass

    # --- contents -----------------------------------------------------------------------------------------------------

    def prepare(self, record: BatchRecord, custom_ids: Sequence[str], lines: Iterable[bytes]) -> BatchRecord:
        """Write a new batch to disk, the record last, so that a record never lacks its files."""
        with self._writing(record.key, "requests.jsonl") as path, open_atomically(path, binary=True) as file:
            for line in lines:
                file.write(line + b"\n")
        with self._writing(record.key, "ids") as path:
            write_text_atomically(path, "".join(f"{name}\n" for name in custom_ids))
        return self.write(record)

    def ids(self, key: str) -> list[str]:
        """Return the names of the requests of a batch in the order of its lines; empty when the batch is done."""
        return self._names(key, "ids")

    def note_taken(self, key: str, custom_id: str) -> None:
        """Note that the answer to a request is in the response cache, or was a permanent failure.

        A later process may get the same answer from the journal of a run, and never request it.
        """
        with self._writing(key, "taken") as path, open(path, "a", encoding="ascii") as file:
            file.write(f"{custom_id}\n")

    def left(self, key: str) -> set[str]:
        """Return the names of the requests whose answers have not been consumed yet."""
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
        """Yield the lines of the results; none when the batch is done."""
        try:
            with open(self.file(key, "results.jsonl"), "rb") as file:
                yield from (line for line in file if line.strip())
        except FileNotFoundError:
            return

    # --- locks --------------------------------------------------------------------------------------------------------

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Keep other processes from assigning requests to batches."""
        try:
            os.makedirs(self.path, exist_ok=True)
        except OSError as e:
            raise BatchError(f"Cannot keep batches in {self.path}: {e.strerror}.") from e
        with file_lock(os.path.join(self.path, "folder.lock"), f"batches of {self.path}"):
            self._remove_orphans()
            yield

    def try_lock(self, key: str) -> FileLock | None:
        """Lock a batch in order to continue it; return None if a living process holds the lock."""
        return try_file_lock(self.file(key, "lock"))

    def _remove_orphans(self) -> None:
        """Remove files of a process that was killed before it had written the record."""
        names = os.listdir(self.path)
        keys = {name.removesuffix(".json") for name in names if name.endswith(".json")}
        for name in names:
            key, _, kind = name.lstrip(".").partition(".")
            is_ours = kind.startswith(("requests.jsonl", "ids", "results.jsonl", "taken"))
            if is_ours and key not in keys:
                hwarn(f"{self.path}: removing {name}, which a killed process left.")
                os.unlink(os.path.join(self.path, name))


def new_key() -> str:
    """Return a unique name for a batch; names sort by time."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(4)}"
