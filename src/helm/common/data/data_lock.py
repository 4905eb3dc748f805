"""The lock file `helm-data.lock`, which records the bytes of datasets at their first use, so that they stay the same.

It is sorted JSON without dates, so that the same data gives the same file, which belongs in version control.

    {"version": 1,
     "files": {"https://...": {"sha256": "...", "bytes": 12345, "license": "mit"}},
     "data_sets": {"owner/name": {"main": {"commit": "...", "license": "mit", "rows": {"default/test": 100}}}}}

`trusted_code` (only if there is some) has the digests of Python code of tasks that the user has agreed to run.
`files` describes the bytes at each URL before they are unpacked. `data_sets` records the commit of each revision of a Hub
dataset, and how many rows its splits have.
"""

import json
import os
import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from helm.common.errors import ConfigError, HelmError
from helm.common.files import write_text_atomically
from helm.common.processes.file_lock import file_lock

LOCK_FILE_NAME = "helm-data.lock"
_VERSION = 1


class DataChangedError(HelmError):
    """Data differ from the lock file; the message names both, and how to accept the change."""


@dataclass(frozen=True)
class LockedFile:
    """The bytes at a URL."""

    sha256: str
    size_bytes: int
    license: str | None = None


class DataLock:
    """One lock file. Unknown data are added when first used; known data must match."""

    def __init__(self, path: str, update: bool = False):
        """Read a lock file, if it exists; with `update`, different data replace entries instead of being refused.

        Raises ConfigError if the file exists and is not a lock file.
        """
        self.path = path
        self.update = update
        self._thread_lock = threading.Lock()
        self._content = _read(path)

    def file(self, url: str) -> LockedFile | None:
        """Return the entry of a URL, or None."""
        entry = self._content["files"].get(url)
        return LockedFile(entry["sha256"], entry["bytes"], entry.get("license")) if entry else None

    def files(self) -> dict[str, LockedFile]:
        return {url: LockedFile(e["sha256"], e["bytes"], e.get("license")) for url, e in self._content["files"].items()}

    def commit(self, name: str, revision: str) -> str | None:
        """Return the recorded commit of a dataset's revision, or None."""
        return self._content["data_sets"].get(name, {}).get(revision, {}).get("commit")

    def check_file(self, url: str, sha256: str, size_bytes: int, where: str, license: str | None = None) -> None:
        """Raise DataChangedError if `url` is locked with other bytes; otherwise lock it from now on.

        `where` names in the message what has these bytes.
        """
        known = self.file(url)
        if known and known.sha256 != sha256 and not self.update:
            raise DataChangedError(
                f"{where} is not what {self.path} says of {url}: its SHA-256 was {known.sha256} ({known.size_bytes} bytes) "
                f"and now is {sha256} ({size_bytes} bytes). {self.how_to_accept()}"
            )
        there = self._content["files"].get(url, {})
        entry = {**there, "sha256": sha256, "bytes": size_bytes, **({"license": license} if license else {})}
        if entry != there:
            self._merge({"files": {url: entry}})

    def check_data_set(
        self, name: str, revision: str, commit: str, license: str | None, part: str, num_rows: int
    ) -> None:
        """Check, in the same way, the commit of a revision and the number of rows of one of its parts."""
        known = self._content["data_sets"].get(name, {}).get(revision, {})
        same_commit = known.get("commit") == commit
        rows = known.get("rows", {}) if same_commit else {}
        if known and not same_commit and not self.update:
            raise DataChangedError(
                f"The data set {name} at {revision} was commit {known.get('commit')} when {self.path} was written, and now "
                f"is {commit}. {self.how_to_accept()}"
            )
        if rows.get(part, num_rows) != num_rows and not self.update:
            raise DataChangedError(
                f"The data set {name} at {revision} had {rows[part]} rows in {part} when {self.path} was written, and now "
                f"has {num_rows}. {self.how_to_accept()}"
            )
        entry = {
            **known,
            "commit": commit,
            "rows": {**rows, part: num_rows},
            **({"license": license} if license else {}),
        }
        if entry != known:
            self._merge({"data_sets": {name: {revision: entry}}})

    def trusted_code(self) -> dict[str, str]:
        """Return the digests of Python code of others that the user has agreed to run, each with what it belongs to."""
        found: dict[str, str] = self._content.get("trusted_code", {})
        return found

    def add_trusted_code(self, digest: str, what: str) -> None:
        """Remember that the user has agreed to run the code of this digest."""
        if digest not in self.trusted_code():
            self._merge({"trusted_code": {digest: what}})

    def how_to_accept(self) -> str:
        return (
            "Results would not be comparable with earlier ones. If the new data are wanted, accept them: "
            f"helm-data fetch --update --data-lock {self.path} RUN_ENTRY"
        )

    def _merge(self, news: dict[str, Any]) -> None:
        """Add entries to the file, and keep those that other processes have added meanwhile."""
        folder, name = os.path.split(os.path.abspath(self.path))
        os.makedirs(folder, exist_ok=True)
        with self._thread_lock, file_lock(os.path.join(folder, f".{name}.lock"), f"it writes {self.path}"):
            content = _read(self.path)
            for url, entry in news.get("files", {}).items():
                content["files"][url] = entry
            for data_set, revisions in news.get("data_sets", {}).items():
                for revision, entry in revisions.items():
                    there = content["data_sets"].setdefault(data_set, {})
                    old = there.get(revision, {})
                    if old.get("commit") == entry["commit"]:
                        entry = {**old, **entry, "rows": {**old.get("rows", {}), **entry["rows"]}}
                    there[revision] = entry
            if news.get("trusted_code"):
                content["trusted_code"] = {**content.get("trusted_code", {}), **news["trusted_code"]}
            write_text_atomically(self.path, render_lock(content))
            self._content = content

    def merge_from(self, other: "DataLock") -> None:
        """Add the entries of another lock file. Raises DataChangedError if the two differ."""
        for url, entry in other.files().items():
            self.check_file(url, entry.sha256, entry.size_bytes, other.path, entry.license)
        for name, revisions in other._content["data_sets"].items():
            for revision, entry in revisions.items():
                for part, num_rows in entry.get("rows", {}).items():
                    self.check_data_set(name, revision, entry["commit"], entry.get("license"), part, num_rows)

    def part_for(self, urls: Any, data_sets: Any) -> dict[str, Any]:
        """Return the content of a lock file with only these URLs and (name, revision) pairs."""
        wanted, pairs = set(urls), set(data_sets)
        return {
            "version": _VERSION,
            "files": {url: entry for url, entry in self._content["files"].items() if url in wanted},
            "data_sets": {
                name: kept
                for name, revisions in self._content["data_sets"].items()
                if (kept := {revision: entry for revision, entry in revisions.items() if (name, revision) in pairs})
            },
        }


def check_digests(digests: Iterable[str]) -> None:
    """Check that the user's words of consent are digests, as they were printed. Raises: ConfigError."""
    for digest in digests:
        if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
            raise ConfigError(f"--trust-task-code takes digests as they are printed, sha256:..., not '{digest}'.")


def render_lock(content: dict[str, Any]) -> str:
    """Return the text of a lock file."""
    return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _read(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        return {"version": _VERSION, "files": {}, "data_sets": {}}
    except (OSError, ValueError) as e:
        raise ConfigError(f"{path} is not a lock file of data: {e}") from e
    problem = _problem(content)
    if problem:
        raise ConfigError(f"{path} is not a lock file of data that this version reads: {problem}.")
    return content


def _problem(content: Any) -> str | None:
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        return f"'version' has to be {_VERSION}"
    for key in ("files", "data_sets"):
        if not isinstance(content.setdefault(key, {}), dict):
            return f"'{key}' has to be an object"
    if not isinstance(content.get("trusted_code", {}), dict):
        return "'trusted_code' has to be an object"
    for url, entry in content["files"].items():
        if not (
            isinstance(entry, dict) and isinstance(entry.get("sha256"), str) and isinstance(entry.get("bytes"), int)
        ):
            return f"'files', '{url}': 'sha256' (text) and 'bytes' (number) are needed"
    for name, revisions in content["data_sets"].items():
        entries = revisions.values() if isinstance(revisions, dict) else [None]
        if not all(isinstance(entry, dict) and isinstance(entry.get("commit"), str) for entry in entries):
            return f"'data_sets', '{name}': 'commit' (text) is needed for each revision"
    return None
