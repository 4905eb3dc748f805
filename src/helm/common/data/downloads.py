"""Downloads files and archives once, checks them for completeness and against the lock file, and stores them atomically."""

import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from helm.common.data.archives import UNPACK_TYPES, UnpackError, move_into_place, unpack_kind, unpacked
from helm.common.data.data_addresses import Address, addresses, is_web_url, offline_variable
from helm.common.data.data_lock import DataChangedError
from helm.common.data.data_session import Survey, UsedFile, current_session, current_survey, note_file
from helm.common.data.data_stamps import Stamp, changed_file, read_stamp, sha256_of, stamp_path, write_stamp
from helm.common.data.download_errors import DownloadError, GatedDataError, OfflineError
from helm.common.data.http_transfer import discard, fetch_http
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hlog, htrack_block
from helm.common.processes.file_lock import file_lock

__all__ = [
    "UNPACK_TYPES",
    "DataChangedError",
    "DownloadError",
    "GatedDataError",
    "OfflineError",
    "ensure_downloaded",
    "sha256_of",
]

# This many hexadecimal digits of a hash (48 bits) are enough to distinguish the few addresses of a file.
_DIGITS = 12


@dataclass(frozen=True)
class _Expected:
    """The expected bytes at a URL."""

    sha256: str
    source: str
    """Where the expectation comes from."""
    hint: str = ""
    is_lock: bool = False


def ensure_downloaded(
    source_url: str,
    target_path: str,
    unpack: bool = False,
    unpack_type: str | None = None,
    sha256: str | None = None,
    mirrors: Sequence[str] = (),
    license: str | None = None,
    is_data: bool = True,
    max_bytes: int | None = None,
    is_named_by_data: bool = False,
) -> None:
    """Download `source_url` to `target_path` unless it exists.

    With `unpack`, an archive becomes a folder, or its only entry if it has exactly one. Otherwise a source that ends in `.gz`
    or `.zst` is decompressed unless the target has the same ending. The target appears only when complete. One process at a
    time downloads it; an interrupted transfer is resumed, even by a later process. `HELM_DATA_MIRROR` and `HF_ENDPOINT` are
    respected; see `helm.common.data.data_addresses`.

    Inside a `data_session` with a lock file, the bytes must match it; unknown ones are added to it. Next to the target,
    `.<name>.source.json` records its origin.

    Args:
        source_url: `http(s)://`, `file://`, or a path on this machine.
        unpack_type: `unzip`, `untar`, `unzstd` or `ungz`; None follows the ending of the URL.
        sha256: the hash of the bytes at the source, in hexadecimal; None means the lock file's, or else any.
        mirrors: other URLs of the same bytes, tried in order if the source fails.
        license: the license of the data, for the lock file.
        is_data: False for listings and the like, which change from day to day and are not locked.
        max_bytes: a longer answer of a server is an error; None sets no limit.
        is_named_by_data: whether data decide which server is asked: then only `http(s)://`, and only addresses outside this
            machine and its network, unless a mirror stands in for the address.

    Raises:
        DownloadError: The download failed, or has other bytes; the message names URL and cause.
        DataChangedError: The bytes differ from the lock file.
        OfflineError: Downloads are forbidden.
        GatedDataError: The data's terms must be accepted first.
        ConfigError: The unpack type is unknown or does not follow from the URL.
    """
    if is_named_by_data and not is_web_url(source_url):
        raise DownloadError(f"{source_url!r} is named by a row of a data set, and is no address of the web.")
    survey = current_survey()
    if survey is not None and survey.is_empty(target_path):
        return
    is_source = is_data and is_web_url(source_url)
    renew = is_source and current_session().renews(target_path)
    # Files that the user put there are used as they are, even by an update.
    if os.path.exists(target_path) and not (renew and os.path.exists(stamp_path(target_path))):
        if is_source:
            _use_present(source_url, target_path, unpack, unpack_type, sha256, license, survey)
        return
    kind = unpack_kind(source_url, target_path, unpack, unpack_type)
    if survey is not None and is_web_url(source_url):
        _pretend(source_url, target_path, kind, survey)
        return
    _check_online(source_url, target_path)
    folder, name = os.path.split(os.path.abspath(target_path))
    os.makedirs(folder, exist_ok=True)
    # Hidden files next to the target are on the same file system, so the last step is an atomic rename.
    beside = os.path.join(folder, f".{name[:100]}")
    with file_lock(beside + ".lock", f"it fetches {target_path}"):
        if os.path.exists(target_path) and not renew:
            if is_source:
                _use_present(source_url, target_path, unpack, unpack_type, sha256, license, survey)
            return
        with htrack_block(f"Downloading {source_url} to {target_path}") if survey is None else nullcontext():
            expected = _expected(source_url, sha256, is_source)
            untrusted = source_url if is_named_by_data else None
            raw = _fetch_first(addresses(source_url, mirrors), beside, expected, max_bytes, untrusted)
        stamp = _unpack_to(raw, kind, source_url, target_path, beside, is_source)
    if stamp is not None:
        _lock(source_url, stamp, f"What {source_url} gives", license)
        _note(source_url, target_path, stamp, license, survey)


# ---- Where the bytes come from


def _check_online(source_url: str, target_path: str) -> None:
    variable = offline_variable()
    if variable and is_web_url(source_url):
        current_session().block(source_url, target_path)
        raise OfflineError(f"{target_path} is missing, and {variable} is set, so {source_url} is not downloaded.")


def _pretend(source_url: str, target_path: str, kind: str | None, survey: Survey) -> None:
    """Note, in a survey, what would be downloaded, and leave an empty file or folder in its place."""
    survey.miss(source_url, target_path)
    os.makedirs(os.path.dirname(os.path.abspath(target_path)), exist_ok=True)
    if kind in ("unzip", "untar"):
        os.makedirs(target_path)
    else:
        with open(target_path, "wb") as file:
            file.write(survey.placeholder if urlsplit(source_url).path.endswith(".json") else b"")


def _expected(source_url: str, sha256: str | None, is_source: bool) -> _Expected | None:
    session = current_session()
    known = session.lock.file(source_url) if is_source and session.lock is not None else None
    if known is None or session.lock is None or session.lock.update:
        return _Expected(sha256.lower(), "expected") if sha256 else None
    if sha256 is not None and sha256.lower() != known.sha256:
        raise DataChangedError(
            f"{source_url} should have the SHA-256 {sha256}, but had {known.sha256} when {session.lock.path} was written. "
            + session.lock.how_to_accept()
        )
    return _Expected(known.sha256, f"in {session.lock.path}", " " + session.lock.how_to_accept(), is_lock=True)


def _fetch_first(
    places: Sequence[Address],
    beside: str,
    expected: _Expected | None,
    max_bytes: int | None = None,
    untrusted: str | None = None,
) -> str:
    """Download from the first address that gives the expected bytes; return the path of the file.

    The address `untrusted` must lead outside.

    The file is named after the address: `<beside>.<hash>.part`. Raises DownloadError that names each address and the cause.
    """
    errors: list[HelmError] = []
    for place in places:
        path = f"{beside}.{hashlib.sha256(place.url.encode()).hexdigest()[:_DIGITS]}.part"
        try:
            _fetch(place, path, max_bytes, only_outside=place.url == untrusted)
            if expected is not None:
                _check_sha256(path, expected, place.url)
            _remove_others(beside, path)
            return path
        except (DownloadError, DataChangedError) as e:
            errors.append(e)
            if len(places) > 1:
                hlog(f"{e} ({len(places) - len(errors)} other places to ask)")
    if len(errors) == 1:
        raise errors[0]
    kind: Any = next((type(e) for e in errors if isinstance(e, (GatedDataError, DataChangedError))), DownloadError)
    error = kind(
        f"None of {len(errors)} places gave the file. " + " ".join(f"({i}) {e}" for i, e in enumerate(errors, 1))
    )
    if isinstance(error, DownloadError):
        error.status = getattr(errors[-1], "status", None)
    raise error from errors[-1]


def _remove_others(beside: str, path: str) -> None:
    """Remove what transfers from other addresses left behind."""
    for other in glob.glob(f"{glob.escape(beside)}.{'[0-9a-f]' * _DIGITS}.part"):
        if other != path:
            discard(other)


def _fetch(place: Address, path: str, max_bytes: int | None, only_outside: bool) -> None:
    if is_web_url(place.url):
        fetch_http(place, path, max_bytes, only_outside)
        return
    parts = urlsplit(place.url)
    local = unquote(parts.path) if parts.scheme == "file" else place.url
    if parts.scheme not in ("", "file") and not os.path.exists(local):
        raise DownloadError(f"{place.url}: cannot fetch '{parts.scheme}:' addresses; use http, https, file or a path.")
    try:
        if os.path.isdir(local):
            shutil.copytree(local, path)
        else:
            shutil.copyfile(local, path)
    except OSError as e:
        raise DownloadError(f"{place.url} could not be copied: {e.strerror or e}") from e


def _check_sha256(path: str, expected: _Expected, url: str) -> None:
    found = sha256_of(path)
    if found != expected.sha256:
        os.unlink(path)
        error = DataChangedError if expected.is_lock else DownloadError
        what = f"not {expected.sha256}" + (f" as {expected.source}" if expected.is_lock else "")
        raise error(f"{url} is not what was expected: its SHA-256 is {found}, {what}. Nothing was kept.{expected.hint}")


# ---- What the target was made of


def _unpack_to(
    raw: str, kind: str | None, source_url: str, target_path: str, beside: str, is_source: bool
) -> Stamp | None:
    origin = (sha256_of(raw), os.path.getsize(raw)) if is_source else None
    old = beside + ".old"
    with tempfile.TemporaryDirectory(
        prefix=f"{os.path.basename(beside)}.", suffix=".tmp", dir=os.path.dirname(beside)
    ) as work:
        try:
            result = unpacked(raw, kind, work) if kind else raw
        except UnpackError as e:
            raise DownloadError(f"{source_url} {e}") from e
        finally:
            if kind:
                os.unlink(raw)
        if os.path.isdir(target_path):  # it is being replaced
            shutil.rmtree(old, ignore_errors=True)
            os.rename(target_path, old)
        move_into_place(result, target_path)
    shutil.rmtree(old, ignore_errors=True)
    return write_stamp(source_url, target_path, *origin) if origin else None


def _use_present(
    url: str,
    target_path: str,
    unpack: bool,
    unpack_type: str | None,
    sha256: str | None,
    license: str | None,
    survey: Survey | None,
) -> None:
    """Find out the origin of an existing target, and compare it with the lock file.

    A file that has changed since is considered the user's own; a changed file in an unpacked folder is refused.
    """
    stamp = read_stamp(target_path, url)
    if os.path.isfile(target_path):
        status = os.stat(target_path)
        if stamp is None or (stamp.size, stamp.mtime_ns) != (status.st_size, status.st_mtime_ns):
            content = sha256_of(target_path)
            if stamp is not None and stamp.content_sha256 == content:
                stamp = write_stamp(url, target_path, stamp.sha256, stamp.bytes)
            elif stamp is not None or unpack_kind(url, target_path, unpack, unpack_type) is None:
                stamp = write_stamp(url, target_path, content, status.st_size)
    shown = survey.real_path(target_path) if survey else target_path
    if stamp is not None and current_session().lock is not None and os.path.isdir(target_path):
        changed = changed_file(stamp, target_path)
        if changed is not None:
            raise DataChangedError(
                f"{os.path.join(shown, changed)} is not the file that was unpacked from {url}. Results would not be comparable "
                f"with earlier ones. To unpack it again: helm-data fetch --update RUN_ENTRY, or remove {shown}"
            )
    if stamp is not None:
        if sha256 is not None and stamp.sha256 != sha256.lower():
            raise DataChangedError(
                f"{shown} is not what was expected of {url}: its SHA-256 is {stamp.sha256}, not {sha256}. Remove it to "
                "fetch it again."
            )
        _lock(url, stamp, shown, license)
    _note(url, target_path, stamp, license, survey)


def _lock(url: str, stamp: Stamp, where: str, license: str | None) -> None:
    lock = current_session().lock
    if lock is not None:
        lock.check_file(url, stamp.sha256, stamp.bytes, where, license)


def _note(url: str, target_path: str, stamp: Stamp | None, license: str | None, survey: Survey | None) -> None:
    path = os.path.abspath(target_path)
    path = survey.real_path(path) if survey else path
    sha256, size_bytes = (stamp.sha256, stamp.bytes) if stamp else (None, None)
    note_file(UsedFile(url, path, sha256, size_bytes, license))
