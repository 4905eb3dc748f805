"""Datasets on this machine in the layout of the Hub: a folder of the user, or one in the Hugging Face cache.

The cache is that of the Hub's own tools: `datasets--OWNER--NAME` with `refs/REVISION` (a commit), `snapshots/COMMIT/...` and
`blobs`, to which the files of a snapshot are links. It is never written.
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from helm.common.data.data_addresses import HUB, hub_home
from helm.common.data.data_session import UsedFile, current_session, note_file
from helm.common.data.data_stamps import sha256_of
from helm.common.data.hub_files import read_front_matter
from helm.common.errors import ConfigError, HelmError

_SHARD = re.compile(r"(.*)-(\d{5})-of-(\d{5})(.*)")


class NotCachedError(HelmError):
    """The Hugging Face cache lacks a dataset at a revision; the message says where it was looked for."""


class HubFolderError(HelmError):
    """A file of such a folder is damaged or outside of it, or other files that belong with it are missing."""


@dataclass(frozen=True)
class HubFolder:
    """The files of a dataset in one folder."""

    path: str
    """The path in the run entry: a local folder, or `owner/name`."""
    revision: str
    commit: str | None
    """The commit; None for a folder of the user, which has no commits."""
    folder: str
    allowed: tuple[str, ...]
    """Folders in which its files may really be, besides the folder itself."""
    files: list[str]
    license: str | None = None
    _sha256: dict[str, str] = field(default_factory=dict)

    def local(self, name: str) -> str:
        """Return the path of a file after comparing it with the lock file. Raises HubFolderError or DataChangedError."""
        path = _checked(self, name)
        size, sha256 = os.path.getsize(path), sha256_of(path)
        blob = os.path.basename(os.path.realpath(path))
        if self.commit and re.fullmatch("[0-9a-f]{64}", blob) and blob != sha256:  # its name in the cache
            raise HubFolderError(f"{path} is damaged: its SHA-256 is {sha256}, and the cache says {blob}. Remove it.")
        url = file_url(self.path, self.commit, name) if self.commit else f"{self.path.rstrip('/')}/{name}"
        lock = current_session().lock
        if lock is not None:
            lock.check_file(url, sha256, size, path, self.license)
        note_file(UsedFile(url, path, sha256, size, self.license))
        self._sha256[name] = sha256
        return path

    def commit_of(self, names: Sequence[str]) -> str:
        """Return the commit; for a folder without commits, a hash of the files `names`, which were read."""
        if self.commit:
            return self.commit
        lines = "".join(f"{self._sha256[name]} {name}\n" for name in names)
        return hashlib.sha256(lines.encode()).hexdigest()

    def check_complete(self, names: Sequence[str], named: Sequence[str]) -> None:
        """Raise HubFolderError if `x-00000-of-00003` exists, but another of the three does not.

        Otherwise a part of a split would pass for the whole. Files that the entry has `named` explicitly are exempt.
        """
        for name in names:
            shard = _SHARD.fullmatch(name)
            if shard is None or name in named:
                continue
            parts = [f"{shard[1]}-{i:05}-of-{shard[3]}{shard[4]}" for i in range(min(int(shard[3]), 99_999))]
            missing = [part for part in parts if part not in self.files]
            if missing:
                raise HubFolderError(
                    f"{self.folder} has {name}, but lacks {len(missing)} of the {len(parts)} files that belong together, such as "
                    f"{missing[0]}. To read only what is there, name the files in data_files."
                )


def file_url(path: str, commit: str, name: str) -> str:
    """Return the URL of a dataset's file on the Hub."""
    return f"{HUB}/datasets/{path}/resolve/{commit}/{quote(name)}"


def license_of(card: Any) -> str | None:
    """Return the license stated in the head of a README."""
    license = card.get("license") if isinstance(card, Mapping) else None
    return ", ".join(map(str, license)) if isinstance(license, list) else license if isinstance(license, str) else None


def is_local_folder(path: str) -> bool:
    """Return whether `path` names a local folder: it is absolute, or begins with `./` or `../`."""
    return os.path.isabs(path) or path.split("/")[0] in (".", "..")


def open_local_folder(path: str, revision: str | None) -> HubFolder:
    """Open the user's folder at `path`. Raises ConfigError if there is none, or HubFolderError."""
    if revision is not None:
        raise ConfigError(f"The data set {path} is a local folder, which has no revision '{revision}'; leave it out.")
    if not os.path.isdir(path):
        what = "a file" if os.path.exists(path) else "not there"
        raise ConfigError(
            f"The data set {path} should be a folder in the layout of the Hub, but {os.path.abspath(path)} is {what}."
        )
    return _open(path, "local", None, os.path.realpath(path))


def cache_of_the_hub() -> str:
    """Return the folder in which the Hub's own tools store downloads."""
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(name):
            return os.path.expanduser(os.environ[name])
    return os.path.join(hub_home(), "hub")


def open_cached(path: str, revision: str) -> HubFolder:
    """Open a dataset in the Hugging Face cache at a commit, branch or tag. Raises NotCachedError or HubFolderError."""
    repository = os.path.join(cache_of_the_hub(), "datasets--" + path.replace("/", "--"))
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", path) or any(p in ("", ".", "..") for p in revision.split("/")):
        raise NotCachedError(f"'{path}' at '{revision}' is not the name of a data set and a revision.")
    if not os.path.isdir(repository):
        raise NotCachedError(f"The Hugging Face cache has no {repository} either.")
    commit = revision
    ref = os.path.join(repository, "refs", *revision.split("/"))
    if os.path.isfile(ref):
        with open(ref, encoding="utf-8", errors="replace") as file:
            commit = file.read(200).strip()
    if not re.fullmatch(r"[0-9A-Za-z]+", commit):
        why = f"{ref} is not there" if commit == revision else f"{ref} holds no commit"
        raise NotCachedError(f"The Hugging Face cache cannot help: {why}.")
    snapshot = os.path.join(repository, "snapshots", commit)
    if not os.path.isdir(snapshot):
        if commit == revision:
            raise NotCachedError(f"The Hugging Face cache has neither {ref} nor {snapshot}.")
        raise NotCachedError(f"The Hugging Face cache has {ref}, but no {snapshot}.")
    return _open(path, revision, commit, snapshot)


def is_cached(path: str, revision: str | None) -> bool:
    """Return whether the Hugging Face cache has files of a dataset at a revision."""
    try:
        return bool(open_cached(path, revision or "main").files)
    except HelmError:
        return False


def _open(path: str, revision: str, commit: str | None, folder: str) -> HubFolder:
    real = os.path.realpath(folder)
    snapshots = os.path.dirname(real)
    allowed = [real]
    if os.path.basename(snapshots) == "snapshots":
        allowed.append(os.path.join(os.path.dirname(snapshots), "blobs"))
    result = HubFolder(path, revision, commit, folder, tuple(allowed), _list(folder))
    if "README.md" not in result.files:
        return result
    with open(_checked(result, "README.md"), encoding="utf-8", errors="replace") as file:
        license = license_of(read_front_matter(file.read(), f"The data set {path}"))
    return replace(result, license=license)


def _list(folder: str) -> list[str]:
    """Return the files of a folder by the Hub's naming, without hidden ones."""
    names = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in folders:
            if os.path.islink(os.path.join(place, name)):
                raise HubFolderError(
                    f"{os.path.join(place, name)} is a link to a folder, which is not followed. Put the folder itself there."
                )
        names += [os.path.relpath(os.path.join(place, name), folder) for name in files if not name.startswith(".")]
    return sorted(name.replace(os.sep, "/") for name in names)


def _checked(repository: HubFolder, name: str) -> str:
    """Return the path of a file after checking that it is a regular file in an allowed folder."""
    path = os.path.join(repository.folder, *name.split("/"))
    real = os.path.realpath(path)
    if not any(real.startswith(place + os.sep) for place in repository.allowed):
        raise HubFolderError(f"{path} is a link to {real}, which lies outside of the data set's folder.")
    if not os.path.isfile(real):
        what = "is a link to a file that is not there" if os.path.islink(path) else "is not a regular file"
        raise HubFolderError(f"{path} {what}.")
    return path
