"""What stands beside a fetched file or folder, in `.<name>.source.json`: what it was made of."""

import hashlib
import json
import os
from dataclasses import dataclass, replace
from typing import Optional

from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hlog

STAMP_ENDING = ".source.json"
_LONGEST_NAME = 100


@dataclass(frozen=True)
class Stamp:
    """The origin of a file or folder."""

    url: str

    sha256: str
    """Of the bytes behind the URL."""

    bytes: int
    """Their number."""

    content_sha256: Optional[str] = None
    """Of the target, when it is a file."""

    size: Optional[int] = None
    """Of the target, as `mtime_ns`: while both are the same, its bytes are not read again."""

    mtime_ns: Optional[int] = None

    def render(self) -> str:
        return json.dumps({k: v for k, v in vars(self).items() if v is not None}, indent=2) + "\n"

    def render_without_times(self) -> str:
        """The same for every copy of the data."""
        return replace(self, size=None, mtime_ns=None).render()


def sha256_of(path: str) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp_path(target_path: str) -> str:
    """Where the stamp of a target is."""
    folder, name = os.path.split(os.path.abspath(target_path))
    return os.path.join(folder, f".{name[:_LONGEST_NAME]}{STAMP_ENDING}")


def read_stamp(target_path: str, url: Optional[str] = None) -> Optional[Stamp]:
    """The stamp of a target; None without a readable one, or when it is of another URL than `url`."""
    stamp = read_stamp_file(stamp_path(target_path))
    return stamp if stamp is not None and url in (None, stamp.url) else None


def read_stamp_file(path: str) -> Optional[Stamp]:
    try:
        with open(path, encoding="utf-8") as file:
            stamp = Stamp(**json.load(file))
    except (OSError, ValueError, TypeError):
        return None
    return stamp if isinstance(stamp.url, str) and isinstance(stamp.sha256, str) else None


def write_stamp(url: str, target_path: str, sha256: str, size_bytes: int) -> Stamp:
    """Write down what a target was made of: `size_bytes` bytes from `url` with this SHA-256."""
    if os.path.isdir(target_path):
        stamp = Stamp(url, sha256, size_bytes)
    else:
        status = os.stat(target_path)
        stamp = Stamp(url, sha256, size_bytes, sha256_of(target_path), status.st_size, status.st_mtime_ns)
    path = stamp_path(target_path)
    if not os.path.islink(target_path):  # in a survey it is a link into the real folder, which is left as it is
        try:
            write_text_atomically(path, stamp.render())
        except OSError as e:
            hlog(f"{path} cannot be written ({e.strerror}); {target_path} will be read again to check it.")
    return stamp
