"""Files and archives from URLs: fetched once, checked for completeness, put in place whole."""

import glob
import hashlib
import os
import shutil
import tempfile
from typing import List, Optional, Sequence
from urllib.parse import unquote, urlsplit

from helm.common.archives import UNPACK_TYPES, UnpackError, move_into_place, unpack_kind, unpacked
from helm.common.data_addresses import Address, addresses, is_web_url, offline_variable
from helm.common.file_lock import file_lock
from helm.common.hierarchical_logger import hlog, htrack_block
from helm.common.http_transfer import DownloadError, GatedDataError, discard, fetch_http

__all__ = ["DownloadError", "GatedDataError", "OfflineError", "UNPACK_TYPES", "ensure_downloaded"]


_DIGITS = 12
"""So much of a hash tells places apart."""


class OfflineError(DownloadError):
    """A file is not on this machine, and fetching is forbidden."""


def ensure_downloaded(
    source_url: str,
    target_path: str,
    unpack: bool = False,
    unpack_type: Optional[str] = None,
    sha256: Optional[str] = None,
    mirrors: Sequence[str] = (),
) -> None:
    """Have what `source_url` holds at `target_path`; does nothing when something is there already.

    With `unpack`, an archive becomes a folder; when it holds exactly one entry, that entry itself becomes the target.
    Without, a source that ends in `.gz` or `.zst` is decompressed unless the target ends so too. The target appears
    only when complete. One process at a time fetches it; a transfer that breaks off is taken up again, by a later
    process too.

    Args:
        source_url: `http(s)://`, `file://`, or a path of this machine.
        unpack_type: `unzip`, `untar`, `unzstd` or `ungz`; None: by the ending of the URL.
        sha256: what the bytes at the source must have, in hexadecimal; None: anything is taken.
        mirrors: further URLs of the same bytes, asked in order when the source does not give them.

    `HELM_DATA_MIRROR` and `HF_ENDPOINT` are obeyed, see `helm.common.data_addresses`.

    Raises: DownloadError that names URL and cause, also when the bytes are others; OfflineError when fetching is
        forbidden; GatedDataError for data whose terms have to be accepted; ConfigError for an unpack type that does not
        exist or follow.
    """
    if os.path.exists(target_path):
        return
    kind = unpack_kind(source_url, target_path, unpack, unpack_type)
    folder, name = os.path.split(os.path.abspath(target_path))
    check_online(source_url, target_path)
    os.makedirs(folder, exist_ok=True)
    # All that is hidden beside the target is on its file system, so the last step is a rename.
    beside = os.path.join(folder, f".{name[:100]}")
    with file_lock(beside + ".lock", f"it fetches {target_path}"):
        if os.path.exists(target_path):
            return
        with htrack_block(f"Downloading {source_url} to {target_path}"):
            raw = fetch_first(addresses(source_url, mirrors), beside, sha256)
        with tempfile.TemporaryDirectory(prefix=f"{os.path.basename(beside)}.", suffix=".tmp", dir=folder) as work:
            try:
                result = unpacked(raw, kind, work) if kind else raw
            except UnpackError as e:
                raise DownloadError(f"{source_url} {e}") from e
            finally:
                if kind:
                    os.unlink(raw)
            move_into_place(result, target_path)


def check_online(source_url: str, target_path: str) -> None:
    """Raises OfflineError for a web address when fetching is forbidden."""
    variable = offline_variable()
    if variable and is_web_url(source_url):
        raise OfflineError(f"{target_path} is not there, and {variable} is set, so {source_url} is not downloaded.")


def fetch_first(places: Sequence[Address], beside: str, sha256: Optional[str]) -> str:
    """Fetch from the first place that gives the bytes (those with `sha256`, if given); returns the path of the file.

    The file is named after the place: `<beside>.<hash>.part`. Raises: DownloadError that names each place and why not.
    """
    errors: List[DownloadError] = []
    for place in places:
        path = f"{beside}.{hashlib.sha256(place.url.encode()).hexdigest()[:_DIGITS]}.part"
        try:
            _fetch(place, path)
            if sha256 is not None:
                _check_sha256(path, sha256, place.url)
            _remove_others(beside, path)
            return path
        except DownloadError as e:
            errors.append(e)
            if len(places) > 1:
                hlog(f"{e} ({len(places) - len(errors)} other places to ask)")
    if len(errors) == 1:
        raise errors[0]
    error = next((type(e) for e in errors if isinstance(e, GatedDataError)), DownloadError)(
        f"None of {len(errors)} places gave the file. " + " ".join(f"({i}) {e}" for i, e in enumerate(errors, 1))
    )
    error.status = errors[-1].status
    raise error from errors[-1]


def _remove_others(beside: str, path: str) -> None:
    """Remove what transfers from other places left behind."""
    for other in glob.glob(f"{glob.escape(beside)}.{'[0-9a-f]' * _DIGITS}.part"):
        if other != path:
            discard(other)


def _fetch(place: Address, path: str) -> None:
    if is_web_url(place.url):
        fetch_http(place, path)
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


def sha256_of(path: str) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_sha256(path: str, expected: str, url: str) -> None:
    found = sha256_of(path)
    if found != expected.lower():
        os.unlink(path)
        raise DownloadError(
            f"{url} is not what was expected: its SHA-256 is {found}, not {expected}. Nothing was kept."
        )
