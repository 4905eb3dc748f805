"""Stamps next to downloaded files and folders, in `.<name>.source.json`, which record their origin."""

import hashlib
import json
import os
from dataclasses import dataclass, replace
from typing import Any

from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hlog

STAMP_ENDING = ".source.json"
# Leaves room for the stamp's prefix and ending within the 255 bytes of a file name.
_LONGEST_NAME = 100
# The files of larger folders are not recorded one by one: the stamp is read at every use.
_MOST_FILES = 5000


@dataclass(frozen=True)
class Stamp:
    """The origin of a file or folder."""

    url: str

    sha256: str
    """The hash of the bytes at the URL."""

    bytes: int
    """The number of bytes at the URL."""

    content_sha256: str | None = None
    """The hash of the target, if it is a file."""

    size: int | None = None
    """The size of the target. While it and `mtime_ns` are unchanged, the target's bytes are not read again."""

    mtime_ns: int | None = None

    files: dict[str, list[Any]] | None = None
    """For a folder, the size, time and SHA-256 of each unpacked file by name; None if there are too many files."""

    def render(self) -> str:
        return json.dumps({k: v for k, v in vars(self).items() if v is not None}) + "\n"

    def render_without_times(self) -> str:
        """Return the stamp's text without times, which is the same for every copy of the data."""
        files = self.files and {name: [size, None, sha256] for name, (size, _, sha256) in self.files.items()}
        return replace(self, size=None, mtime_ns=None, files=files).render()


def sha256_of(path: str) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp_path(target_path: str) -> str:
    """Return the path of a target's stamp."""
    folder, name = os.path.split(os.path.abspath(target_path))
    return os.path.join(folder, f".{name[:_LONGEST_NAME]}{STAMP_ENDING}")


def read_stamp(target_path: str, url: str | None = None) -> Stamp | None:
    """Return the stamp of a target; None if there is no readable one, or if it is for another URL than `url`."""
    stamp = read_stamp_file(stamp_path(target_path))
    return stamp if stamp is not None and url in (None, stamp.url) else None


def read_stamp_file(path: str) -> Stamp | None:
    try:
        with open(path, encoding="utf-8") as file:
            stamp = Stamp(**json.load(file))
    except (OSError, ValueError, TypeError):
        return None
    return stamp if isinstance(stamp.url, str) and isinstance(stamp.sha256, str) and _is_sound(stamp.files) else None


def _is_sound(files: Any) -> bool:
    """Return whether all names stay inside of their folder and have their three values."""
    if files is None:
        return True
    return isinstance(files, dict) and all(
        isinstance(entry, list) and len(entry) == 3 and not name.startswith("/") and ".." not in name.split("/")
        for name, entry in files.items()
    )


def write_stamp(url: str, target_path: str, sha256: str, size_bytes: int) -> Stamp:
    """Record the origin of a target: `size_bytes` bytes from `url` with this SHA-256."""
    if os.path.isdir(target_path):
        stamp = Stamp(url, sha256, size_bytes, files=_describe_folder(target_path))
    else:
        status = os.stat(target_path)
        stamp = Stamp(url, sha256, size_bytes, sha256_of(target_path), status.st_size, status.st_mtime_ns)
    _save(stamp, target_path)
    return stamp


def _save(stamp: Stamp, target_path: str) -> None:
    path = stamp_path(target_path)
    if os.path.islink(target_path) or os.path.islink(path):
        return  # in a survey, files are links into the real folder, which must not change
    try:
        write_text_atomically(path, stamp.render())
    except OSError as e:
        hlog(f"{path} cannot be written ({e.strerror}); {target_path} will be read again to check it.")


def _describe_folder(folder: str) -> dict[str, list[Any]] | None:
    names = []
    for place, _, files in os.walk(folder):
        names += [os.path.relpath(os.path.join(place, name), folder) for name in files]
        if len(names) > _MOST_FILES:
            return None
    return {name.replace(os.sep, "/"): _describe_file(os.path.join(folder, name)) for name in sorted(names)}


def _describe_file(path: str) -> list[Any]:
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns, sha256_of(path)]


def changed_file(stamp: Stamp, folder: str) -> str | None:
    """Return the first unpacked file of a folder that has changed or is missing; None if there is none, or if unknown.

    Only files whose size or time has changed are read. Files that were added since are ignored.
    """
    news: dict[str, list[Any]] = {}
    for name, (size, mtime_ns, sha256) in (stamp.files or {}).items():
        path = os.path.join(folder, *name.split("/"))
        try:
            status = os.stat(path)
            if (status.st_size, status.st_mtime_ns) == (size, mtime_ns):
                continue
            news[name] = _describe_file(path)
        except OSError:
            return name
        if news[name][2] != sha256:
            return name
    if news:
        _save(replace(stamp, files={**(stamp.files or {}), **news}), folder)
    return None
