"""Downloads one file over HTTP to disk; an interrupted transfer is resumed, by this process or the next one."""

import html
import json
import os
import re
from functools import cache
from typing import Any, BinaryIO
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

from helm.common.data.data_addresses import HUB, TOKEN_CREDENTIAL, Address
from helm.common.data.download_errors import DownloadError, GatedDataError
from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hlog
from helm.common.inside_addresses import is_inside_address

# The most that an interrupted transfer loses.
_BLOCK_BYTES = 1 << 16
_CONNECT_TIMEOUT_S = 30.0
# Some servers prepare an archive before they send its first byte.
_READ_TIMEOUT_S = 120.0
# The attempts of one download, each of which resumes where the one before broke off.
_ATTEMPTS = 4
# The longest wait before the next attempt, even if a server asks for more.
_LONGEST_WAIT_S = 60.0
_PAGE_BYTES = 1 << 20
STATE_ENDING = ".state"
_TRY_AGAIN = [429, 500, 502, 503, 504]
_DRIVE_HOSTS = ("drive.google.com", "docs.google.com", "drive.usercontent.google.com")


def fetch_http(address: Address, path: str, max_bytes: int | None = None, only_outside: bool = False) -> None:
    """Stream the content of `address` to the file `path`.

    An existing file is the beginning of an earlier transfer. It is continued if the server still has the same bytes (by the
    ETag or date in `<path>.state`), and replaced otherwise. If this transfer is interrupted, the file is kept if it can be
    continued. Raises DownloadError that names the URL, also for an answer of more than `max_bytes`, and with `only_outside` if
    the address, or one to which it redirects, is inside this machine or its network.
    """
    try:
        _fetch(address, path, max_bytes, only_outside)
    except BaseException as e:
        if not (os.path.exists(path + STATE_ENDING) and os.path.getsize(path) and _read_state(path, address.url)):
            discard(path)
        if isinstance(e, OSError):
            raise DownloadError(f"{address.url} could not be written to {path}: {e.strerror or e}") from e
        raise
    os.unlink(path + STATE_ENDING)


def discard(path: str) -> None:
    """Remove the file of a transfer and its state."""
    for name in (path, path + STATE_ENDING):
        if os.path.exists(name):
            os.unlink(name)


def _fetch(address: Address, path: str, max_bytes: int | None, only_outside: bool) -> None:
    state_path = path + STATE_ENDING
    state = _read_state(path, address.url)
    with _pool(address.url, only_outside) as pool, open(path, "r+b" if os.path.exists(path) else "w+b") as file:
        file.seek(0, os.SEEK_END)
        for attempt in range(1, _ATTEMPTS + 1):
            start = file.tell() if state else 0
            headers = {"Accept-Encoding": "identity", "User-Agent": "helm-evals", **address.headers()}
            if start:
                headers.update({"Range": f"bytes={start}-", "If-Range": state})
            before, has_answered = file.tell(), False
            try:
                response = _request(pool, address, headers)
                has_answered = True
                try:
                    if response.status == 416 and start:  # the file is longer than the source
                        state = ""
                        _restart(file)
                        continue
                    _check_status(response, address)
                    if response.status != 206 or not _starts_at(response, start):
                        _restart(file)
                    state = response.headers.get("ETag") or response.headers.get("Last-Modified") or ""
                    write_text_atomically(state_path, json.dumps({"url": address.url, "validator": state}))
                    before = file.tell()
                    may_be_page = before == 0 and _may_be_page(response, address)
                    for block in response.stream(_BLOCK_BYTES):  # raises an error if it is shorter than announced
                        if may_be_page:
                            _check_is_no_page(block, address)
                            may_be_page = False
                        if max_bytes is not None and file.tell() + len(block) > max_bytes:
                            discard(state_path)
                            raise DownloadError(f"{address.url} gives more than {max_bytes} bytes. Nothing was kept.")
                        file.write(block)
                    file.flush()
                    break
                finally:
                    response.close()
            except _transport_errors() as e:
                file.flush()
                # The pool already retries connecting, so more attempts without progress are useless.
                if attempt == _ATTEMPTS or not (has_answered or file.tell() > before):
                    raise DownloadError(f"{address.url} could not be downloaded: {_cause(e)}") from e
                hlog(f"{address.url}: the connection broke after {file.tell()} bytes ({_cause(e)}); trying again")
        else:
            raise DownloadError(f"{address.url} could not be downloaded: its size changes with every request.")


def _read_state(path: str, url: str) -> str:
    """Return the ETag or date of an interrupted transfer; empty if it cannot be continued."""
    try:
        with open(path + STATE_ENDING, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError):
        return ""
    return str(content.get("validator", "")) if isinstance(content, dict) and content.get("url") == url else ""


def _restart(file: BinaryIO) -> None:
    file.seek(0)
    file.truncate()


def _starts_at(response: Any, start: int) -> bool:
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", f"bytes {start}-"))
    return found is not None and int(found[1]) == start


@cache
def _transport_errors() -> tuple:
    import urllib3

    return (urllib3.exceptions.HTTPError,)


def _pool(url: str, only_outside: bool) -> Any:
    """Return a connection pool with the environment's proxy settings."""
    from urllib.request import getproxies, proxy_bypass

    import urllib3

    class Retry(urllib3.Retry):
        def get_retry_after(self, response: Any) -> float | None:
            wait_s = super().get_retry_after(response)
            return None if wait_s is None else min(wait_s, _LONGEST_WAIT_S)

    settings: dict[str, Any] = {
        "timeout": urllib3.Timeout(connect=_CONNECT_TIMEOUT_S, read=_READ_TIMEOUT_S),
        "retries": Retry(
            total=8,
            connect=2,
            read=0,
            status=2,
            redirect=5,
            backoff_factor=0.5,
            status_forcelist=_TRY_AGAIN,
            raise_on_status=False,
        ),
    }
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if proxy and not proxy_bypass(parts.hostname or ""):
        return urllib3.ProxyManager(proxy, **settings)
    pool = urllib3.PoolManager(**settings)
    if only_outside:
        pool.pool_classes_by_scheme = _outside_pools()
    return pool


@cache
def _outside_pools() -> dict[str, Any]:
    """Return the classes of a connection pool whose connections, of redirects too, lead outside."""
    import urllib3

    def checked(connection: Any, opened: Any) -> Any:
        if is_inside_address(opened.getpeername()[0]):
            opened.close()
            raise DownloadError(
                f"{connection.host} is inside the network, and is not asked for what a row of a data set names."
            )
        return opened

    class HTTPConnection(urllib3.connection.HTTPConnection):
        def _new_conn(self) -> Any:
            return checked(self, super()._new_conn())

    class HTTPSConnection(urllib3.connection.HTTPSConnection):
        def _new_conn(self) -> Any:
            return checked(self, super()._new_conn())

    class HTTPPool(urllib3.HTTPConnectionPool):
        ConnectionCls = HTTPConnection

    class HTTPSPool(urllib3.HTTPSConnectionPool):
        ConnectionCls = HTTPSConnection

    return {"http": HTTPPool, "https": HTTPSPool}


def _request(pool: Any, address: Address, headers: dict[str, str]) -> Any:
    """Return the response, with its body unread. Redirects to another host do not get the key."""
    response = pool.request("GET", _file_address(address.url), headers=headers, preload_content=False)
    if urlsplit(address.url).hostname not in _DRIVE_HOSTS:
        return response
    if not response.headers.get("Content-Type", "").startswith("text/html"):
        return response
    page = response.read(_PAGE_BYTES).decode("utf-8", "replace")
    response.close()
    following = drive_confirmation_url(page, address.url)
    if following is None:
        raise DownloadError(
            f"{address.url} does not give a file, but a page{_title(page)}. Files that many people fetch are refused for a day; "
            "try again later, or name a mirror."
        )
    return pool.request("GET", following, headers=headers, preload_content=False)


def _file_address(url: str) -> str:
    """Return an address that gives the file itself: Dropbox sends a page about it unless the address has `dl=1`."""
    parts = urlsplit(url)
    if parts.hostname in ("www.dropbox.com", "dropbox.com"):
        kept = [word for word in parts.query.split("&") if word and not word.startswith("dl=")]
        return parts._replace(query="&".join([*kept, "dl=1"])).geturl()
    return url


def drive_confirmation_url(page: str, url: str) -> str | None:
    """Return the target of the button "download anyway" on Google Drive's page for large files, or None."""
    form = re.search(r"<form[^>]*\bid=\"download-form\"[^>]*>(.*?)</form>", page, re.DOTALL)
    if form is None:
        return None
    action = re.search(r'\baction="([^"]*)"', form[0])
    fields = {}
    for tag in re.findall(r"<input\b[^>]*>", form[1]):
        name, value = re.search(r'\bname="([^"]*)"', tag), re.search(r'\bvalue="([^"]*)"', tag)
        if name:
            fields[html.unescape(name[1])] = html.unescape(value[1]) if value else ""
    target = urljoin(url, html.unescape(action[1]) if action else "")
    if urlsplit(target).hostname not in _DRIVE_HOSTS:
        return None
    given = {key: values[0] for key, values in parse_qs(urlsplit(target).query).items()}
    return urlsplit(target)._replace(query=urlencode({**given, **fields})).geturl()


def _title(page: str) -> str:
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL | re.IGNORECASE)
    return f' titled "{html.unescape(title[1]).strip()[:100]}"' if title else ""


def describe_page(text: str) -> str:
    """Return `It is a web page titled "Not found".` for a web page, else an empty string."""
    is_page = re.match(r"\s*(<\?xml[^>]*>\s*)?<(!doctype html|html|head|body)\b", text, re.IGNORECASE)
    return f"It is a web page{_title(text)}." if is_page else ""


def _may_be_page(response: Any, address: Address) -> bool:
    is_html = response.headers.get("Content-Type", "").startswith("text/html")
    return is_html and not urlsplit(address.url).path.lower().endswith((".html", ".htm"))


def _check_is_no_page(block: bytes, address: Address) -> None:
    """Refuse web pages, which expired hosts and networks that require a login send with a status of success."""
    if block[:500].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        title = _title(block.decode("utf-8", "replace"))
        raise DownloadError(f"{address.url} does not give a file, but a web page{title}. Nothing was kept.")


def _check_status(response: Any, address: Address) -> None:
    """Raise DownloadError for an error status, or GatedDataError if the Hub refuses access."""
    if response.status in (200, 206):
        return
    text = response.read(500).decode("utf-8", "replace").strip()
    if address.is_hub and response.status in (401, 403):
        error: DownloadError = GatedDataError(_gated_message(address, response))
    else:
        reason = f"HTTP status {response.status} {response.reason or ''}".rstrip()
        said = describe_page(text) or text[:200]
        error = DownloadError(f"{address.url} could not be downloaded: {reason}. {said}".rstrip())
    error.status = response.status
    raise error


def _gated_message(address: Address, response: Any) -> str:
    found = re.search(r"/((?:datasets|spaces)/)?([^/]+/[^/]+)/resolve/", urlsplit(address.url).path)
    found = found or re.search(r"/api/(datasets/)([^/]+(?:/[^/]+)?)/(?:revision|tree)/", urlsplit(address.url).path)
    page = f"{HUB}/{found[1] or ''}{found[2]}" if found else HUB
    said = response.headers.get("X-Error-Message")
    if response.headers.get("X-Error-Code") == "RepoNotFound":
        owner = " for the owner of the token that was sent" if "Authorization" in address.headers() else ""
        return f"{address.url}: there is no such data set{owner} (HTTP status {response.status}): a wrong name, or private."
    start = f"{address.url} is given only to users who are logged in and have accepted its terms (HTTP status "
    start += f"{response.status}{': ' + said if said else ''}). "
    if "Authorization" in address.headers():
        return start + f"A token was sent, but its owner has no access: accept the terms at {page} with that account."
    return start + (
        f"Accept the terms at {page}, then give a token of that account: the environment variable HF_TOKEN, or the key "
        f"{TOKEN_CREDENTIAL} in credentials.conf."
    )


def _cause(error: BaseException) -> str:
    """Return the innermost reason of urllib3's nested errors, without object addresses."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, BaseException):
        return _cause(reason)
    if len(error.args) > 1 and isinstance(error.args[0], str):
        return error.args[0]
    text = str(error)
    return text.split(": ", 1)[1] if text.startswith("<") and ": " in text else text or type(error).__name__
