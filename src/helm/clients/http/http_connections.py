"""HTTP by libcurl for many similar requests: connections stay open, and waiting does not hold the interpreter lock.

All threads share one interpreter, so what a request costs there limits how many can be made: 0.05 ms here, where a client
written in Python needs ten times as much. Half of it is libcurl; it calls as little Python as the limits allow.
"""

import io
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from helm.clients.http.http_answer import (
    BrokenExchange,
    ConnectError,
    ConnectTimeout,
    DeadlineExceeded,
    Headers,
    ReadTimeout,
    read_headers,
)
from helm.common.answer_limits import AnswerTooLong, max_answer_bytes
from helm.common.errors import ConfigError
from helm.common.inside_addresses import goes_through_proxy, is_inside_address

_MAX_IDLE = 512
"""Idle connections kept per host; as many as a limiter's largest window."""

MAX_HEAD_BYTES = 1 << 20
"""Real headers have a few KiB; a server that sends them without end must not fill the memory."""

_LOOK_EVERY_S = 0.25
"""How often an exchange looks whether anything was transferred. libcurl asks ten times in a short exchange."""

_MAX_LINES = 256
"""Header lines that are remembered. Most are the same in all requests; keys of single requests are not."""

_SAFE_IN_TARGET = "/%?=&:;,@!$'()*+~-._"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _Exchange:
    """The part of one answer received so far, and for how long nothing has been received."""

    __slots__ = (
        "_last", "_length", "_look_at", "_max_bytes", "_since", "_take", "_timeout_s", "body", "head", "interrupt",
        "is_silent", "is_too_long",
    )  # fmt: skip

    def __init__(self, timeout_s: float, max_bytes: int, take: Callable[[int], None] | None):
        self.head = io.BytesIO()
        """The header lines of all responses, interim ones included (`103 Early Hints`); libcurl writes them here itself."""
        self.body: list[bytes] = []
        self._length = 0
        self._max_bytes, self._take = max_bytes, take
        self._timeout_s = timeout_s
        self._last, self._since = (0.0, 0.0, 0), time.monotonic()
        self._look_at = self._since + min(_LOOK_EVERY_S, timeout_s)
        self.is_silent = self.is_too_long = False
        self.interrupt: BaseException | None = None

    def add_to_body(self, piece: bytes) -> int | None:
        """Keep a decoded piece of the body once `take` has made room for it; a return value of 0 ends the exchange."""
        try:
            self._length += len(piece)
            self.is_too_long = self._length > self._max_bytes
            if self.is_too_long:
                return 0
            if self._take is not None:
                self._take(len(piece))
                self._since = time.monotonic()  # waiting for room is not silence of the server
            self.body.append(piece)
            return None
        except BaseException as e:
            self.interrupt = e
            return 0

    def go_on(self, _: float, received: float, __: float, sent: float) -> int:
        """Report progress: called by libcurl about once a second and on any traffic; a result of 1 ends the exchange."""
        try:
            now = time.monotonic()
            head_length = self.head.tell()
            if head_length > MAX_HEAD_BYTES:
                self.is_too_long = True
                return 1
            if now < self._look_at:
                return 0
            state = (received, sent, head_length)
            if state != self._last:
                self._last, self._since = state, now
            self.is_silent = now - self._since >= self._timeout_s
            self._look_at = min(now + _LOOK_EVERY_S, self._since + self._timeout_s)
            return int(self.is_silent)
        except BaseException as e:  # such as Ctrl-C: exceptions do not pass through libcurl
            self.interrupt = e
            return 1


class Handle:
    """A handle of libcurl with its connection, and the options that it has from the exchange before."""

    __slots__ = ("connect_timeout_s", "curl", "lines", "target")

    def __init__(self, curl: Any):
        self.curl = curl
        self.target: str | None = None
        self.lines: list[str] | None = None
        self.connect_timeout_s = 0.0


class ConnectionPool:
    """The connections to one origin. Each thread takes one for itself, most recently used first.

    Args:
        scheme: `http` or `https`.
        host: a name or an IP address.
        port: None means that of the scheme.
        only_outside: whether to refuse connections to addresses inside this machine or its network.
    """

    def __init__(self, scheme: str, host: str, port: int | None, only_outside: bool = False):
        try:
            name = f"[{host}]" if ":" in host else host if host.isascii() else host.encode("idna").decode()
        except UnicodeError as e:
            raise ConfigError(f"'{host}' cannot be the name of a host: {e}") from e
        self._origin = f"{scheme}://{name}" + (f":{port}" if port else "")
        self._is_local, self._is_secure = host in _LOOPBACK, scheme == "https"
        self._refuses_inside = only_outside and not goes_through_proxy(scheme, host)
        self._idle: deque[Handle] = deque()
        self.idle_transfers: deque[Any] = deque()
        """Groups of connections (`Transfers`) that no thread is using."""
        self._lines: dict[tuple[str, str], str] = {}

    def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes | None,
        connect_timeout_s: float,
        timeout_s: float,
        deadline_s: float,
        max_bytes: int | None = None,
        take: Callable[[int], None] | None = None,
    ) -> tuple[int, Headers, bytes]:
        """Send a request and return (status, headers, body) of the answer, which may be a redirect.

        Args:
            target: Path and query.
            timeout_s: the longest silence of the server, noticed up to a second late.
            deadline_s: the longest time for the whole exchange.
            max_bytes: the most bytes of the decoded answer; None means `max_answer_bytes()`.
            take: called with the length of each piece of the answer before it is kept; may block.

        Raises:
            ConnectError, ConnectTimeout, ReadTimeout, DeadlineExceeded, BrokenExchange, AnswerTooLong: The exchange failed.
            ConfigError: A header cannot be sent.
        """
        import pycurl

        lines = self.lines(headers)
        max_bytes = max_answer_bytes() if max_bytes is None else max_bytes
        try:
            handle = self._idle.pop()
        except IndexError:
            handle = self.new_handle()
        exchange = _Exchange(timeout_s, max_bytes, take)
        curl = handle.curl
        is_well = False
        try:
            self.prepare(handle, target, lines, connect_timeout_s, deadline_s)
            if body is None and method == "GET":
                curl.setopt(pycurl.HTTPGET, 1)
            else:
                curl.setopt(pycurl.POSTFIELDS, body or b"")  # and so it is a POST
            if method not in ("GET", "POST"):
                curl.setopt(pycurl.CUSTOMREQUEST, method)
            curl.setopt(pycurl.HEADERFUNCTION, exchange.head.write)
            curl.setopt(pycurl.WRITEFUNCTION, exchange.add_to_body)
            curl.setopt(pycurl.XFERINFOFUNCTION, exchange.go_on)
            curl.perform()
            status = curl.getinfo(pycurl.RESPONSE_CODE)
            is_well = method in ("GET", "POST")  # a handle keeps the options of other methods
            return status, read_headers(exchange.head.getvalue()), b"".join(exchange.body)
        except pycurl.error as e:
            if exchange.interrupt is not None:
                raise exchange.interrupt from None
            is_connected = curl.getinfo(pycurl.REQUEST_SIZE) > 0
            raise self.failure(e, exchange, max_bytes, is_connected, curl.getinfo(pycurl.OS_ERRNO)) from e
        finally:
            if is_well and len(self._idle) < _MAX_IDLE:
                self._idle.append(handle)
            else:
                curl.close()

    def close_idle(self) -> None:
        """Close the connections that no thread is using."""
        try:
            while self._idle:
                self._idle.pop().curl.close()
            while self.idle_transfers:
                self.idle_transfers.pop().close()
        except IndexError:  # another thread has taken the last one
            pass

    def lines(self, headers: Mapping[str, str]) -> list[str]:
        """Return headers as `prepare` takes them. Raises ConfigError if one cannot be sent."""
        lines = [self._lines.get(header) or self._line(*header) for header in headers.items()]
        lines.append("Expect:")  # send large bodies at once, without waiting for `100 Continue`
        return lines

    def prepare(
        self, handle: Handle, target: str, lines: list[str], connect_timeout_s: float, deadline_s: float
    ) -> None:
        """Set the options of the next exchange, but for method and body."""
        import pycurl

        curl = handle.curl
        if target != handle.target:
            curl.setopt(pycurl.URL, self._origin + quote(target, safe=_SAFE_IN_TARGET))
            handle.target = target
        if connect_timeout_s != handle.connect_timeout_s:
            curl.setopt(pycurl.CONNECTTIMEOUT_MS, max(1, int(connect_timeout_s * 1000)))
            handle.connect_timeout_s = connect_timeout_s
        if lines is not handle.lines:
            curl.setopt(pycurl.HTTPHEADER, lines)
            handle.lines = lines
        curl.setopt(pycurl.TIMEOUT_MS, max(1, int(deadline_s * 1000)))

    def new_handle(self) -> Handle:
        import pycurl

        curl = pycurl.Curl()
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.NOPROGRESS, 0)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_1_1)
        curl.setopt(pycurl.MAXCONNECTS, 1)
        curl.setopt(pycurl.TCP_KEEPALIVE, 1)
        curl.setopt(pycurl.ACCEPT_ENCODING, "gzip")
        # Each piece is handed over under the lock of Python, for which it may have to wait; a picture has hundreds of KiB.
        curl.setopt(pycurl.BUFFERSIZE, 1 << 18)
        if self._is_local:
            curl.setopt(pycurl.PROXY, "")
        if self._refuses_inside:
            curl.setopt(pycurl.OPENSOCKETFUNCTION, _open_outside)
        if self._is_secure:
            _trust_certificates(curl)
        return Handle(curl)

    def _line(self, name: str, value: str) -> str:
        """Return a header as a line for libcurl. Raises ConfigError if it cannot be sent."""
        line = f"{name}: {value}" if value else f"{name};"
        if "\r" in line or "\n" in line or "\0" in line or not line.isascii():
            raise ConfigError(
                f"The header {line.partition(':')[0]} cannot be sent: it holds a line break or a letter that is not "
                "ASCII. Was the key, or whatever else it is made from, copied completely and without anything else?"
            )
        if len(self._lines) >= _MAX_LINES:
            self._lines.clear()
        self._lines[name, value] = line
        return line

    @staticmethod
    def failure(error: Exception, exchange: Any, max_bytes: int, is_connected: bool, system_error: int) -> Exception:
        import pycurl

        code, text = error.args[0], str(error.args[1])
        if exchange.is_too_long:
            return AnswerTooLong(max_bytes)
        if exchange.is_silent:
            return ReadTimeout(text) if is_connected else ConnectTimeout(text)
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return DeadlineExceeded(text) if is_connected else ConnectTimeout(text)
        if code == pycurl.E_GOT_NOTHING:
            return BrokenExchange("the server closed the connection without an answer")
        if not is_connected or code in (
            pycurl.E_COULDNT_RESOLVE_PROXY,
            pycurl.E_COULDNT_RESOLVE_HOST,
            pycurl.E_COULDNT_CONNECT,
            pycurl.E_SSL_CONNECT_ERROR,
            pycurl.E_PEER_FAILED_VERIFICATION,
            pycurl.E_SSL_CACERT_BADFILE,
        ):
            return ConnectError(f"{os.strerror(system_error)} ({text})" if system_error else text)
        return BrokenExchange(text)


def _open_outside(purpose: int, address: Any) -> Any:
    """Open a socket for libcurl, unless the address is inside."""
    import socket

    import pycurl

    if is_inside_address(str(address.addr[0])):
        return pycurl.SOCKET_BAD
    return socket.socket(address.family, address.socktype, address.protocol)


def _trust_certificates(curl: Any) -> None:
    """Trust the certificates that Python trusts: the system's, or `$SSL_CERT_FILE` and `$SSL_CERT_DIR`."""
    import ssl

    import pycurl

    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        curl.setopt(pycurl.CAINFO, paths.cafile)
    if paths.capath:
        curl.setopt(pycurl.CAPATH, paths.capath)
    if not paths.cafile and not paths.capath:
        curl.setopt(pycurl.SSL_OPTIONS, pycurl.SSLOPT_NATIVE_CA)


_pools: dict[tuple[int, str, str, int | None, bool], ConnectionPool] = {}
_pools_lock = threading.Lock()


def get_pool(url: str, only_outside: bool = False) -> ConnectionPool:
    """Return the process's pool for the origin of a URL; a forked process has its own. See ConnectionPool."""
    parts = urlsplit(url)
    key = (os.getpid(), parts.scheme, parts.hostname or "", parts.port, only_outside)
    with _pools_lock:
        pool = _pools.get(key)
        if pool is None:
            pool = _pools[key] = ConnectionPool(parts.scheme, parts.hostname or "", parts.port, only_outside)
        return pool


def close_idle_connections() -> None:
    """Close the connections of this process that no thread is using; the next requests open new ones."""
    with _pools_lock:
        for pool in _pools.values():
            pool.close_idle()
        _pools.clear()
