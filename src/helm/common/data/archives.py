"""Unpacks archives and compressed files without trusting them."""

import gzip
import os
import shutil
import sys
import tarfile
import zipfile
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from helm.common.answer_limits import mebibytes
from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.optional_dependencies import needs_extra

UNPACK_TYPES = ["unzip", "untar", "unzstd", "ungz"]

_SUFFIXES = {
    ".zip": "unzip",
    ".tar": "untar",
    ".tar.gz": "untar",
    ".tgz": "untar",
    ".tar.bz2": "untar",
    ".tar.xz": "untar",
}
_COMPRESSED = {".gz": "ungz", ".zst": "unzstd"}
_BLOCK_BYTES = 1 << 20
MAX_UNPACKED_VARIABLE = "HELM_MAX_UNPACKED_MIB"
# 1 TiB is more than any dataset contains: an archive that unpacks to more is hostile.
_MAX_UNPACKED_BYTES = 1 << 40
# Real text stays far below this ratio, while deflate can reach about 1000.
_MAX_RATIO = 100
# Anything may unpack to 1 GiB, however small the archive: the size of a dataset is declared nowhere.
_RATIO_COUNTS_FROM_BYTES = 1 << 30


class UnpackError(HelmError):
    """A downloaded file cannot, or must not, be unpacked."""


def unpack_kind(source_url: str, target_path: str, unpack: bool, unpack_type: str | None) -> str | None:
    """Return how to unpack `source_url` to `target_path`, one of `UNPACK_TYPES`; None leaves it as is.

    Raises ConfigError for an unknown type, or if the type does not follow from the ending of the URL.
    """
    path = urlsplit(source_url).path if "://" in source_url else source_url
    if unpack:
        if unpack_type is not None and unpack_type not in UNPACK_TYPES:
            raise ConfigError(
                f"{source_url}: unpack_type takes {', '.join(UNPACK_TYPES)}, not '{unpack_type}'."
                + suggest(unpack_type, UNPACK_TYPES)
            )
        by_ending = [kind for suffix, kind in {**_COMPRESSED, **_SUFFIXES}.items() if path.endswith(suffix)]
        kind = unpack_type or (by_ending[-1] if by_ending else None)
        if kind is None:
            raise ConfigError(f"{source_url}: the ending does not say how to unpack it; give unpack_type.")
        return kind
    for suffix, kind in _COMPRESSED.items():
        if path.endswith(suffix) and not target_path.endswith(suffix):
            return kind
    return None


def unpacked(raw: str, kind: str, work: str) -> str:
    """Unpack the file `raw` inside the folder `work`; return the resulting file or folder.

    An archive with exactly one entry becomes that entry.

    Raises:
        UnpackError: The archive is broken, would write outside of its folder (by a relative or absolute path, or a link), or
            unpacks to more than 1 GiB and more than 100 times its size, unless `$HELM_MAX_UNPACKED_MIB` allows it.
        ConfigError: That variable is not a number.
    """
    try:
        return _unpacked(raw, kind, work)
    except HelmError:
        raise
    except Exception as e:  # each format has its own errors, and hostile archives cause others
        raise UnpackError(f"could not be unpacked ({kind}): {e}") from e


def _unpacked(raw: str, kind: str, work: str) -> str:
    target = os.path.join(work, "unpacked")
    limit = _limit_of(raw)
    if kind in ("ungz", "unzstd"):
        with open_compressed(raw, "gz" if kind == "ungz" else "zst") as packed, open(target, "wb") as file:
            _copy(packed, file, limit)
        return target
    os.mkdir(target)
    if kind == "unzip":
        _unzip(raw, target, limit)
    else:
        _untar(raw, target, limit)
    entries = os.listdir(target)
    return os.path.join(target, entries[0]) if len(entries) == 1 else target


def _unzip(raw: str, target: str, limit: int) -> None:
    with zipfile.ZipFile(raw) as archive:
        entries = archive.infolist()
        _check_size(sum(entry.file_size for entry in entries), limit)
        for entry in entries:
            _check_inside(entry.filename, target)
        for entry in entries:  # only folders and regular files are written, with at most the declared size
            archive.extract(entry, target)


def _untar(raw: str, target: str, limit: int) -> None:
    with tarfile.open(raw, mode="r:*") as archive:
        total = 0
        for member in archive:  # sizes are known before anything is written
            total += member.size
            _check_size(total, limit)
        archive.extractall(target, filter="data")  # refuses escapes, devices and links that lead out


def open_compressed(path: str, kind: str) -> Any:
    """Open the content as a binary stream; `kind` is `gz`, `zst`, or anything else for an uncompressed file."""
    if kind == "gz":
        return gzip.open(path, "rb")
    if kind == "zst":
        if sys.version_info >= (3, 14):
            from compression import zstd

            return zstd.open(path, "rb")
        with needs_extra("data"):
            import zstandard
        return zstandard.ZstdDecompressor().stream_reader(open(path, "rb"), read_across_frames=True)
    return open(path, "rb")


def _copy(packed: BinaryIO, file: BinaryIO, limit: int) -> None:
    total = 0
    while block := packed.read(_BLOCK_BYTES):
        total += len(block)
        _check_size(total, limit)
        file.write(block)


def _limit_of(raw: str) -> int:
    if os.environ.get(MAX_UNPACKED_VARIABLE):
        return mebibytes(MAX_UNPACKED_VARIABLE, 0)
    return min(_MAX_UNPACKED_BYTES, max(_RATIO_COUNTS_FROM_BYTES, os.path.getsize(raw) * _MAX_RATIO))


def check_unpacked_size(raw: str, size_bytes: int) -> None:
    """Raise ValueError if the archive `raw` says that it unpacks to more than `unpacked` allows.

    Raises: ConfigError if `$HELM_MAX_UNPACKED_MIB` is not a number.
    """
    _check_size(size_bytes, _limit_of(raw))


def _check_size(size_bytes: int, limit: int) -> None:
    if size_bytes > limit:
        raise ValueError(
            f"it would unpack to {size_bytes} bytes or more, over the limit of {limit} for its size; if you know that it is "
            f"as large as that, {MAX_UNPACKED_VARIABLE} allows it"
        )


def _check_inside(name: str, folder: str) -> None:
    path = os.path.realpath(os.path.join(folder, name))
    if os.path.isabs(name) or os.path.commonpath([path, os.path.realpath(folder)]) != os.path.realpath(folder):
        raise ValueError(f"its entry '{name}' would be written outside of the target folder")


def move_into_place(result: str, target_path: str) -> None:
    """Rename the result to its target; if another process has already created the folder, keep that one."""
    if os.path.isfile(result):
        os.chmod(result, 0o644)
    try:
        os.replace(result, target_path)
    except OSError:
        if not os.path.exists(target_path):
            raise
    shutil.rmtree(result, ignore_errors=True)
