"""HTTP/1.1 for requests that are many and alike: connections that stay open, one write and few reads for each request.

A general client spends more processor time on a request than everything else that is done for it, and many threads share one
interpreter. This one does what the endpoints of models need: bodies in memory, TLS, responses of any framing.
"""

import os
import select
import socket
import threading
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO, Deque, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote, urlsplit

from helm.common.errors import ConfigError

if TYPE_CHECKING:
    import ssl

_MAX_LINE_BYTES = 1 << 16
_MAX_HEADERS = 256
_MAX_IDLE = 512
"""Connections that wait for the next request, for each host."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNRESERVED = "/%?=&:;,@!$'()*+~-._"


class ConnectError(Exception):
    """No connection came about."""


class ConnectTimeout(ConnectError):
    """No connection in time."""


class ReadTimeout(Exception):
    """The server was silent for too long."""


class BrokenExchange(Exception):
    """The connection ended, or what came over it is no HTTP."""


class Headers(Dict[str, str]):
    """Names in lower case; of a header that comes several times the values, with commas between them."""

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name.lower(), default)

    def __getitem__(self, name: str) -> str:
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and super().__contains__(name.lower())


class _Connection:
    """One socket, and whether another request may follow on it."""

    def __init__(self, host: str, port: int, tls: "Optional[ssl.SSLContext]", connect_timeout_s: float):
        try:
            self._socket = socket.create_connection((host, port), connect_timeout_s)
        except TimeoutError as e:
            raise ConnectTimeout(str(e)) from e
        except (OSError, UnicodeError) as e:  # UnicodeError: a host name that cannot be one
            raise ConnectError(_text(e)) from e
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                self._socket = tls.wrap_socket(self._socket, server_hostname=host)
        except TimeoutError as e:
            self._socket.close()
            raise ConnectTimeout(str(e)) from e
        except OSError as e:
            self._socket.close()
            raise ConnectError(_text(e)) from e
        self._timeout_s = connect_timeout_s
        self._reader: BinaryIO = self._socket.makefile("rb")
        self._poll: Any = None
        if hasattr(select, "poll"):
            self._poll = select.poll()
            self._poll.register(self._socket, select.POLLIN)
        self.is_reusable = False

    def close(self) -> None:
        self._reader.close()
        self._socket.close()

    @property
    def is_dropped(self) -> bool:
        """The server has ended the connection, or sent what nobody asked for."""
        if self._poll is not None:
            return bool(self._poll.poll(0))
        return bool(select.select([self._socket], [], [], 0)[0])

    def exchange(self, data: bytes, timeout_s: float, has_body: bool) -> Tuple[int, Headers, bytes]:
        self.is_reusable = False
        if timeout_s != self._timeout_s:
            self._socket.settimeout(timeout_s)
            self._timeout_s = timeout_s
        try:
            try:
                self._socket.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # a server may answer, and hang up, before it has read all of a request that it does not want
            return self._read(has_body)
        except TimeoutError as e:
            raise ReadTimeout(str(e)) from e
        except OSError as e:
            raise BrokenExchange(_text(e)) from e

    def _line(self) -> bytes:
        line = self._reader.readline(_MAX_LINE_BYTES + 1)
        if not line.endswith(b"\n"):
            if len(line) > _MAX_LINE_BYTES:
                raise BrokenExchange(f"a line of the answer's head is longer than {_MAX_LINE_BYTES} bytes")
            raise BrokenExchange("the server closed the connection in the middle of an answer" if line else _NO_ANSWER)
        return line

    def _read(self, has_body: bool) -> Tuple[int, Headers, bytes]:
        status = 100
        while 100 <= status < 200:  # such as `103 Early Hints`: the answer is still to come
            version, status = self._status()
            headers = self._headers()
        encoding = headers.get("transfer-encoding", "").lower()
        length = headers.get("content-length")
        ends_with_connection = False
        if not has_body or status in (204, 304):
            data = b""
        elif encoding and encoding != "identity":
            if encoding.rpartition(",")[2].strip() != "chunked":
                raise BrokenExchange(f"the answer has the transfer encoding '{encoding}', which is not known")
            data = self._chunks()
        elif length is not None:
            data = self._bytes(_whole_number(length.partition(",")[0].strip(), 10, "Content-Length"))
        else:
            data, ends_with_connection = self._reader.read(), True
        closes = "close" in headers.get("connection", "").lower() or version < b"HTTP/1.1"
        self.is_reusable = not (closes or ends_with_connection)
        if "content-encoding" in headers:
            data = _decompressed(data, headers["content-encoding"].lower())
        return status, headers, data

    def _status(self) -> Tuple[bytes, int]:
        line = self._line()
        parts = line.split(None, 2)
        if len(parts) < 2 or not parts[0].startswith(b"HTTP/") or len(parts[1]) != 3 or not parts[1].isdigit():
            raise BrokenExchange(f"this is not HTTP: {line[:80]!r}")
        return parts[0], int(parts[1])

    def _headers(self) -> Headers:
        headers = Headers()
        last = ""
        for _ in range(_MAX_HEADERS):
            line = self._line()
            if line in (b"\r\n", b"\n"):
                return headers
            text = line.decode("latin-1")
            if text[0] in " \t" and last:  # a folded line goes on with the one before
                dict.__setitem__(headers, last, f"{headers[last]} {text.strip()}")
                continue
            name, colon, value = text.partition(":")
            if not colon:
                raise BrokenExchange(f"this is no header of HTTP: {line[:80]!r}")
            last, value = name.strip().lower(), value.strip()
            if last in headers:
                value = f"{headers[last]}, {value}"
            dict.__setitem__(headers, last, value)
        raise BrokenExchange(f"the answer has more than {_MAX_HEADERS} headers")

    def _bytes(self, number: int) -> bytes:
        data = self._reader.read(number)
        if len(data) < number:
            raise BrokenExchange(f"the answer ends after {len(data)} of {number} bytes")
        return data

    def _chunks(self) -> bytes:
        parts: List[bytes] = []
        while True:
            size = _whole_number(self._line().partition(b";")[0].strip().decode("latin-1"), 16, "size of a chunk")
            if size == 0:
                self._headers()  # trailers, of no interest
                return b"".join(parts)
            parts.append(self._bytes(size))
            if self._line() not in (b"\r\n", b"\n"):
                raise BrokenExchange("a chunk of the answer is longer than it says")


_NO_ANSWER = "the server closed the connection without an answer"


class ConnectionPool:
    """The connections to one origin. Every thread takes one for itself, the one used last first."""

    def __init__(self, scheme: str, host: str, port: Optional[int]):
        self._tls = _tls_context() if scheme == "https" else None
        self._host, self._port = host, port or _DEFAULT_PORTS[scheme]
        try:
            name = f"[{host}]" if ":" in host else host if host.isascii() else host.encode("idna").decode()
        except UnicodeError as e:
            raise ConfigError(f"'{host}' cannot be the name of a host: {e}") from e
        self._name = name if self._port == _DEFAULT_PORTS[scheme] else f"{name}:{self._port}"
        self._idle: Deque[_Connection] = deque()
        self._heads: Dict[Tuple[str, str, int], Tuple[Mapping[str, str], bytes]] = {}

    def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        connect_timeout_s: float,
        timeout_s: float,
    ) -> Tuple[int, Headers, bytes]:
        """(status, headers, body) of the answer; redirections are answers, too.

        Args:
            target: path and query.
            timeout_s: longest silence of the server.

        Raises: ConnectError, ConnectTimeout, ReadTimeout, BrokenExchange; ConfigError for a header that cannot be sent.
        """
        head = self._head(method, target, headers)
        if body is not None or method != "GET":
            body = body or b""
            data = b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body)
        else:
            data = head + b"\r\n"
        connection = self._take(connect_timeout_s)
        try:
            return connection.exchange(data, timeout_s, has_body=method != "HEAD")
        finally:
            if connection.is_reusable and len(self._idle) < _MAX_IDLE:
                self._idle.append(connection)
            else:
                connection.close()

    def _take(self, connect_timeout_s: float) -> _Connection:
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return _Connection(self._host, self._port, self._tls, connect_timeout_s)
            if not connection.is_dropped:
                return connection
            connection.close()

    def _head(self, method: str, target: str, headers: Mapping[str, str]) -> bytes:
        """All but the length of the body and the empty line; the same for all requests of a client."""
        key = (method, target, id(headers))
        known = self._heads.get(key)
        if known is not None and known[0] is headers:
            return known[1]
        lines = [f"{method} {quote(target, safe=_UNRESERVED)} HTTP/1.1", f"Host: {self._name}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if not any(name.lower() == "accept-encoding" for name in headers):
            lines.append("Accept-Encoding: identity")
        for line in lines:
            if "\r" in line or "\n" in line or not line.isascii():
                raise ConfigError(
                    f"The header {line.partition(':')[0]} cannot be sent: it holds a line break or a letter that is not "
                    "ASCII. Is the key, or what else it is made of, copied whole and alone?"
                )
        head = "\r\n".join([*lines, ""]).encode("ascii")
        if len(self._heads) > 64:
            self._heads.clear()
        self._heads[key] = (headers, head)
        return head


_pools: Dict[Tuple[int, str, str, Optional[int]], ConnectionPool] = {}
_pools_lock = threading.Lock()


def get_pool(url: str) -> ConnectionPool:
    """The process's pool for the origin of a URL; a forked process has its own."""
    parts = urlsplit(url)
    key = (os.getpid(), parts.scheme, parts.hostname or "", parts.port)
    with _pools_lock:
        pool = _pools.get(key)
        if pool is None:
            pool = _pools[key] = ConnectionPool(parts.scheme, parts.hostname or "", parts.port)
        return pool


@cache
def _tls_context() -> "ssl.SSLContext":
    """Certificates as the system, or `$SSL_CERT_FILE`, has them."""
    import ssl

    return ssl.create_default_context()


def _whole_number(text: str, base: int, name: str) -> int:
    try:
        if text and text[0] not in "+-" and "_" not in text:
            return int(text, base)
    except ValueError:
        pass
    raise BrokenExchange(f"the {name} of the answer is no number: '{text[:40]}'")


def _decompressed(data: bytes, encoding: str) -> bytes:
    """Some servers compress although they are asked not to."""
    import zlib

    if encoding == "identity" or not data:
        return data
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise BrokenExchange(f"the answer is encoded as '{encoding}', which was not asked for")
    try:
        return zlib.decompress(data, zlib.MAX_WBITS | 32)  # either of the two, told by the first bytes
    except zlib.error as e:
        raise BrokenExchange(f"the answer cannot be decompressed: {e}") from e


def _text(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
