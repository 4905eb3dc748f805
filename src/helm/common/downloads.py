"""Files and archives from URLs: fetched once, checked for completeness, put in place whole."""

import gzip
import os
import shutil
import tarfile
import tempfile
import zipfile
from typing import Any, BinaryIO, Optional
from urllib.parse import unquote, urlsplit

from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.hierarchical_logger import hlog, htrack_block
from helm.common.optional_dependencies import OptionalDependencyNotInstalled

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
_BLOCK_BYTES = 1 << 16
"""At most so much of a transfer that breaks off is lost."""
_CONNECT_TIMEOUT_S = 30.0
_READ_TIMEOUT_S = 120.0
_ATTEMPTS = 4
_MAX_UNPACKED_BYTES = 1 << 40
"""More than any data set holds: an archive that unpacks to more is hostile."""


class DownloadError(HelmError):
    """A file could not be fetched or unpacked. The message names the URL and the cause."""


def ensure_downloaded(
    source_url: str,
    target_path: str,
    unpack: bool = False,
    unpack_type: Optional[str] = None,
    sha256: Optional[str] = None,
) -> None:
    """Have what `source_url` holds at `target_path`; does nothing when something is there already.

    With `unpack`, an archive becomes a folder; when it holds exactly one entry, that entry itself becomes the target.
    Without, a source that ends in `.gz` or `.zst` is decompressed unless the target ends so too. The target appears
    only when complete, also when several processes fetch it at once; a transfer that breaks off is taken up again.

    Args:
        source_url: `http(s)://`, `file://`, or a path of this machine.
        unpack_type: `unzip`, `untar`, `unzstd` or `ungz`; None: by the ending of the URL.
        sha256: what the bytes at the source must have, in hexadecimal; None: anything is taken.
    Raises: DownloadError that names URL and cause, also when the bytes are others; ConfigError for an unpack type that
        does not exist or follow.
    """
    if os.path.exists(target_path):
        return
    kind = _unpack_kind(source_url, target_path, unpack, unpack_type)
    folder = os.path.dirname(os.path.abspath(target_path))
    os.makedirs(folder, exist_ok=True)
    # Hidden and beside the target: the last step is a rename inside one file system.
    with tempfile.TemporaryDirectory(
        prefix=f".{os.path.basename(target_path)[:100]}.", suffix=".tmp", dir=folder
    ) as work:
        raw = os.path.join(work, "raw")
        with htrack_block(f"Downloading {source_url} to {target_path}"):
            _fetch(source_url, raw)
        if sha256 is not None:
            _check_sha256(raw, sha256, source_url)
        try:
            result = _unpacked(raw, kind, work) if kind else raw
        except (OSError, EOFError, ValueError, zipfile.BadZipFile, tarfile.TarError) as e:
            raise DownloadError(f"{source_url} could not be unpacked ({kind}): {e}") from e
        _put_in_place(result, target_path)


def _unpack_kind(source_url: str, target_path: str, unpack: bool, unpack_type: Optional[str]) -> Optional[str]:
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
            raise ConfigError(f"{source_url}: how to unpack it does not follow from its ending; give unpack_type.")
        return kind
    for suffix, kind in _COMPRESSED.items():
        if path.endswith(suffix) and not target_path.endswith(suffix):
            return kind
    return None


def _fetch(source_url: str, path: str) -> None:
    parts = urlsplit(source_url)
    if parts.scheme in ("http", "https"):
        _fetch_http(source_url, path)
        return
    local = unquote(parts.path) if parts.scheme == "file" else source_url
    if parts.scheme not in ("", "file") and not os.path.exists(local):
        raise DownloadError(f"{source_url}: cannot fetch '{parts.scheme}:' addresses; use http, https, file or a path.")
    try:
        if os.path.isdir(local):
            shutil.copytree(local, path)
        else:
            shutil.copyfile(local, path)
    except OSError as e:
        raise DownloadError(f"{source_url} could not be copied: {e.strerror or e}") from e


def _fetch_http(url: str, path: str) -> None:
    """Stream the body to a file. A transfer that breaks is continued from where it ended when the server can do so."""
    import urllib3

    pool = urllib3.PoolManager(
        timeout=urllib3.Timeout(connect=_CONNECT_TIMEOUT_S, read=_READ_TIMEOUT_S),
        retries=urllib3.Retry(
            total=5, connect=2, read=0, status=2, redirect=5, backoff_factor=0.5, status_forcelist=[429, 502, 503]
        ),
    )
    with pool, open(path, "wb") as file:
        validator: Optional[str] = None
        for attempt in range(1, _ATTEMPTS + 1):
            if validator is None:  # nothing says whether the source has changed since: from the beginning
                file.seek(0)
                file.truncate()
            start = file.tell()
            headers = {"Accept-Encoding": "identity"}
            if start and validator:
                headers.update({"Range": f"bytes={start}-", "If-Range": validator})
            try:
                response = pool.request("GET", url, headers=headers, preload_content=False)
                validator = response.headers.get("ETag") or response.headers.get("Last-Modified")
                try:
                    _copy_body(response, file, url)
                    return
                finally:
                    response.release_conn()
            except urllib3.exceptions.HTTPError as e:
                if attempt == _ATTEMPTS or file.tell() == start:  # no progress: trying again is of no use
                    raise DownloadError(f"{url} could not be downloaded: {_cause(e)}") from e
                hlog(f"{url}: broken off after {file.tell()} bytes ({_cause(e)}); trying again")


def _copy_body(response: Any, file: BinaryIO, url: str) -> None:
    """Append the body. Raises DownloadError for an error status and urllib3's errors for a body that breaks off."""
    if response.status == 200:
        file.seek(0)
        file.truncate()
    elif response.status != 206:
        text = response.read(500).decode("utf-8", "replace").strip()
        raise DownloadError(
            f"{url} could not be downloaded: HTTP status {response.status} {response.reason}. {text[:200]}".rstrip()
        )
    for block in response.stream(_BLOCK_BYTES):  # raises IncompleteRead when the body is shorter than announced
        file.write(block)


def _cause(error: BaseException) -> str:
    """The innermost reason of urllib3's nested errors, without object addresses."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, BaseException):
        return _cause(reason)
    if len(error.args) > 1 and isinstance(error.args[0], str):
        return error.args[0]
    text = str(error)
    return text.split(": ", 1)[1] if text.startswith("<") and ": " in text else text or type(error).__name__


def _check_sha256(path: str, expected: str, source_url: str) -> None:
    import hashlib

    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise DownloadError(
            f"{source_url} is not what was expected: its SHA-256 is {found}, not {expected}. Nothing was kept."
        )


def _unpacked(raw: str, kind: str, work: str) -> str:
    """Unpack `raw` inside `work`; returns the file or folder that becomes the target."""
    target = os.path.join(work, "unpacked")
    if kind == "ungz":
        with gzip.open(raw, "rb") as packed, open(target, "wb") as file:
            shutil.copyfileobj(packed, file, _BLOCK_BYTES)
        return target
    if kind == "unzstd":
        _unpack_zstd(raw, target)
        return target
    os.mkdir(target)
    if kind == "unzip":
        with zipfile.ZipFile(raw) as archive:
            _check_size(sum(entry.file_size for entry in archive.infolist()))
            for entry in archive.infolist():
                _check_inside(entry.filename, target)
                archive.extract(entry, target)  # writes regular files and folders only
    else:
        with tarfile.open(raw, mode="r:*") as archive:
            members = archive.getmembers()
            _check_size(sum(member.size for member in members))
            archive.extractall(target, members=members, filter="data")  # refuses escapes, devices and outward links
    entries = os.listdir(target)
    return os.path.join(target, entries[0]) if len(entries) == 1 else target


def _unpack_zstd(raw: str, target: str) -> None:
    try:
        import zstandard
    except ModuleNotFoundError as e:
        raise OptionalDependencyNotInstalled(
            "Files that end in .zst need the package zstandard. Install it with: pip install zstandard"
        ) from e
    with open(raw, "rb") as packed, open(target, "wb") as file:
        zstandard.ZstdDecompressor().copy_stream(packed, file)


def _check_inside(name: str, folder: str) -> None:
    path = os.path.realpath(os.path.join(folder, name))
    if os.path.isabs(name) or os.path.commonpath([path, os.path.realpath(folder)]) != os.path.realpath(folder):
        raise ValueError(f"its entry '{name}' would be written outside of the target folder")


def _check_size(size_bytes: int) -> None:
    if size_bytes > _MAX_UNPACKED_BYTES:
        raise ValueError(f"it would unpack to {size_bytes} bytes")


def _put_in_place(result: str, target_path: str) -> None:
    """Rename; when another process was first with a folder, keep that one."""
    if os.path.isfile(result):
        os.chmod(result, 0o644)
    try:
        os.replace(result, target_path)
    except OSError:
        if not os.path.exists(target_path):
            raise
