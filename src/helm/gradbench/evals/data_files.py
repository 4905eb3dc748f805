"""Files of problems that a user has, for example those of ADBench."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

from helm.common.errors import HelmError

_ADDRESS = re.compile(r"[a-z]+://")
_CHECKSUM = re.compile(r"(.+)#sha256=([0-9a-f]{64})")


def local_data(place: str, unpack: bool = True) -> Path:
    """Where the data are on this machine; those of an address are downloaded when they are first asked for.

    Args:
        place: a path, or an address that ends in ``#sha256=`` and the checksum of what it holds, because an eval that
            asks other questions tomorrow compares nothing.
        unpack: the address is that of an archive; the folder in it is wanted.
    Raises: HelmError for an address without a checksum, DownloadError when it gives nothing, or other bytes.
    """
    if not _ADDRESS.match(place):
        return Path(place)
    match = _CHECKSUM.fullmatch(place)
    if match is None:
        raise HelmError(f"{place} lacks its checksum: write ADDRESS#sha256=CHECKSUM, with 64 hexadecimal digits.")
    from helm.common.data.downloads import ensure_downloaded

    url, checksum = match.groups()
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    target = Path(base) / "helm" / "gradbench" / checksum
    ensure_downloaded(url, str(target), unpack=unpack, sha256=checksum)
    return target


def read_data_file(path: Path) -> str:
    """The text of a file. Raises ``HelmError`` that names it when it is absent or no text."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise HelmError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise HelmError(f"{path} is not a text file: {error}") from error


def parse_number(word: str) -> float:
    """Raises ``ValueError`` for anything but a finite number: no message could carry it."""
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"{word} is not a finite number")
    return number


def find_data_file(folder: Path, pattern: str) -> Path | None:
    """The first file of ``folder``, by name, that matches ``pattern``; None when there is none.

    Raises: HelmError when there is no such folder.
    """
    if not folder.is_dir():
        raise HelmError(f"{folder} is not a folder; --data takes a folder with files {pattern}.")
    return min(folder.glob(pattern), default=None)
