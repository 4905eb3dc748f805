"""Data sets that are on this machine in the layout of the Hub: a folder of the user's, or one of the Hugging Face cache.

The cache is that of the Hub's own tools: `datasets--OWNER--NAME` with `refs/REVISION` (a commit), `snapshots/COMMIT/...` and
`blobs`, which the files of a snapshot are links to. It is only read.
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
    """The Hugging Face cache lacks a data set at a revision; says where it was looked for."""


class HubFolderError(HelmError):
    """A file of such a folder is damaged, lies outside of it, or is one of several of which others are missing."""


@dataclass(frozen=True)
class HubFolder:
    """The files of a data set in one folder."""

    path: str
    """As the entry names it: a folder of this machine, or `owner/name`."""
    revision: str
    commit: str | None
    """None: a folder of the user's, which has no commits."""
    folder: str
    allowed: tuple[str, ...]
    """Where its files may really be, besides in the folder."""
    files: list[str]
    license: str | None = None
    _sha256: dict[str, str] = field(default_factory=dict)

    def local(self, name: str) -> str:
        """The path of a file, held against the lock file. Raises: HubFolderError; DataChangedError."""
        path = _checked(self, name)
        size, sha256 = os.path.getsize(path), sha256_of(path)
        blob = os.path.basename(os.path.realpath(path))
        if self.commit and re.fullmatch("[0-9a-f]{64}", blob) and blob != sha256:  # the cache names large files so
            raise HubFolderError(f"{path} is damaged: its SHA-256 is {sha256}, and the cache says {blob}. Remove it.")
        url = file_url(self.path, self.commit, name) if self.commit else f"{self.path.rstrip('/')}/{name}"
        lock = current_session().lock
        if lock is not None:
            lock.check_file(url, sha256, size, path, self.license)
        note_file(UsedFile(url, path, sha256, size, self.license))
        self._sha256[name] = sha256
        return path

    def commit_of(self, names: Sequence[str]) -> str:
        """The commit; of a folder without one, what stands for the bytes of the files `names`, which were read."""
        if self.commit:
            return self.commit
        lines = "".join(f"{self._sha256[name]} {name}\n" for name in names)
        return hashlib.sha256(lines.encode()).hexdigest()

    def check_complete(self, names: Sequence[str], named: Sequence[str]) -> None:
        """Raises HubFolderError when `x-00000-of-00003` is there and another of the three is not, unless the entry has
        `named` just these: a part of a split would pass for the whole."""
        for name in names:
            shard = _SHARD.fullmatch(name)
            if shard is None or name in named:
                continue
            parts = [f"{shard[1]}-{i:05}-of-{shard[3]}{shard[4]}" for i in range(min(int(shard[3]), 99_999))]
            missing = [part for part in parts if part not in self.files]
            if missing:
                raise HubFolderError(
                    f"{self.folder} has {name}, but lacks {len(missing)} of the {len(parts)} files that belong together, as "
                    f"{missing[0]}. To read only what is there, name the files in data_files."
                )


def file_url(path: str, commit: str, name: str) -> str:
    """Where the Hub has a file of a data set."""
    return f"{HUB}/datasets/{path}/resolve/{commit}/{quote(name)}"


def license_of(card: Any) -> str | None:
    """The license that the head of a README states."""
    license = card.get("license") if isinstance(card, Mapping) else None
    return ", ".join(map(str, license)) if isinstance(license, list) else license if isinstance(license, str) else None


def is_local_folder(path: str) -> bool:
    """Whether `path` names a folder of this machine: it is absolute, or begins with `./` or `../`."""
    return os.path.isabs(path) or path.split("/")[0] in (".", "..")


def open_local_folder(path: str, revision: str | None) -> HubFolder:
    """The folder of the user's at `path`. Raises: ConfigError when there is none; HubFolderError."""
    if revision is not None:
        raise ConfigError(f"The data set {path} is a local folder, which has no revision '{revision}'; leave it out.")
    if not os.path.isdir(path):
        what = "a file" if os.path.exists(path) else "not there"
        raise ConfigError(
            f"The data set {path} should be a folder in the layout of the Hub, but {os.path.abspath(path)} is {what}."
        )
    return _open(path, "local", None, os.path.realpath(path))


def cache_of_the_hub() -> str:
    """The folder in which the Hub's own tools keep what they have fetched."""
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(name):
            return os.path.expanduser(os.environ[name])
    return os.path.join(hub_home(), "hub")


def open_cached(path: str, revision: str) -> HubFolder:
    """What the Hugging Face cache has of a data set at a commit, branch or tag. Raises: NotCachedError; HubFolderError."""
    repository = os.path.join(cache_of_the_hub(), "datasets--" + path.replace("/", "--"))
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", path) or any(p in ("", ".", "..") for p in revision.split("/")):
        raise NotCachedError(f"'{path}' at '{revision}' is no name of a data set and a revision.")
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
    """Whether the Hugging Face cache has something of a data set at a revision."""
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
    """The files of a folder as the Hub would name them, without what is hidden."""
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
    """The path of a file, once it is known to be one and to lie where it may."""
    path = os.path.join(repository.folder, *name.split("/"))
    real = os.path.realpath(path)
    if not any(real.startswith(place + os.sep) for place in repository.allowed):
        raise HubFolderError(f"{path} is a link to {real}, which lies outside of the data set's folder.")
    if not os.path.isfile(real):
        what = "is a link to a file that is not there" if os.path.islink(path) else "is no regular file"
        raise HubFolderError(f"{path} {what}.")
    return path
