"""What stands beside a fetched file or folder, in `.<name>.source.json`: what it was made of."""

import hashlib
import json
import os
from dataclasses import dataclass, replace
from typing import Any

from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hlog

STAMP_ENDING = ".source.json"
_LONGEST_NAME = 100
_MOST_FILES = 5000
"""Of folders with more files it is not written down what each was."""


@dataclass(frozen=True)
class Stamp:
    """The origin of a file or folder."""

    url: str

    sha256: str
    """Of the bytes behind the URL."""

    bytes: int
    """Their number."""

    content_sha256: str | None = None
    """Of the target, when it is a file."""

    size: int | None = None
    """Of the target, as `mtime_ns`: while both are the same, its bytes are not read again."""

    mtime_ns: int | None = None

    files: dict[str, list[Any]] | None = None
    """Of a folder: name -> size, time, SHA-256 of each file that was unpacked. None when they are too many."""

    def render(self) -> str:
        return json.dumps({k: v for k, v in vars(self).items() if v is not None}) + "\n"

    def render_without_times(self) -> str:
        """The same for every copy of the data."""
        files = self.files and {name: [size, None, sha256] for name, (size, _, sha256) in self.files.items()}
        return replace(self, size=None, mtime_ns=None, files=files).render()


def sha256_of(path: str) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp_path(target_path: str) -> str:
    """Where the stamp of a target is."""
    folder, name = os.path.split(os.path.abspath(target_path))
    return os.path.join(folder, f".{name[:_LONGEST_NAME]}{STAMP_ENDING}")


def read_stamp(target_path: str, url: str | None = None) -> Stamp | None:
    """The stamp of a target; None without a readable one, or when it is of another URL than `url`."""
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
    """Names stay inside of their folder, and each has its three values."""
    if files is None:
        return True
    return isinstance(files, dict) and all(
        isinstance(entry, list) and len(entry) == 3 and not name.startswith("/") and ".." not in name.split("/")
        for name, entry in files.items()
    )


def write_stamp(url: str, target_path: str, sha256: str, size_bytes: int) -> Stamp:
    """Write down what a target was made of: `size_bytes` bytes from `url` with this SHA-256."""
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
        return  # in a survey they are links into the real folder, which is left as it is
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
    """The first file of a folder that is not as it was unpacked, or is gone; None when all are, or are not known.

    Only files whose size or time has changed are read. What was added since is another matter.
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
