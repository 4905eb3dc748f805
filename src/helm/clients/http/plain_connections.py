"""Small requests to servers without TLS, over sockets: a quarter of the processor time that they take through libcurl.

What servers of models answer, a body of a known length, is read here. All other answers (in chunks, up to the end of the
connection, compressed) are read by `http.client` and `zlib`.
"""

import io
import select
import socket
import time
from collections import deque
from collections.abc import Callable, Sequence

from helm.clients.http.http_answer import (
    WITHOUT_ANSWER,
    BrokenExchange,
    ConnectError,
    ConnectTimeout,
    DeadlineExceeded,
    Headers,
    ReadTimeout,
    read_headers,
)
from helm.common.answer_limits import AnswerTooLong

MAX_REQUEST_BYTES = 1 << 16
"""Larger bodies may not fit into the system's buffers; libcurl notices when they are not taken, or refused early."""

_MAX_IDLE = 512
_PIECE_BYTES = 1 << 14
"""Enough for most answers; the system's call makes room for as much before it knows how much there is."""
_LARGE_PIECE_BYTES = 1 << 18
_MAX_LINE_BYTES = 100 << 10
"""The longest header line, as in libcurl."""
_INTERIM, _UPGRADE = b"1", b"101"
_WITHOUT_BODY = (204, 304)


class PlainConnections:
    """The open connections to one host. Each thread takes one for itself, most recently used first.

    Args:
        host, port: where to connect.
        host_header: the value of the header `Host`.
    """

    def __init__(self, host: str, port: int, host_header: str):
        self._address = (host, port)
        self._host_line = f"Host: {host_header}"
        self._idle: deque[socket.socket] = deque()

    def exchange(
        self,
        request_line: str,
        lines: Sequence[str],
        body: bytes | None,
        connect_timeout_s: float,
        timeout_s: float,
        deadline_s: float,
        max_head_bytes: int,
        max_bytes: int,
        take: Callable[[int], None] | None,
    ) -> tuple[int, Headers, bytes]:
        """Send a request and return (status, headers, body); see `ConnectionPool.exchange`.

        Args:
            lines: the headers but `Host` and `Content-Length`.
            body: None sends no `Content-Length`, as in a request with the method GET.
        """
        sized = [] if body is None else [f"Content-Length: {len(body)}"]
        data = "\r\n".join([request_line, self._host_line, *lines, *sized, "", ""]).encode("ascii") + (body or b"")
        deadline = time.monotonic() + deadline_s
        may_reuse = True
        while True:
            idle = self._pop_idle() if may_reuse else None
            connection = self._connect(min(connect_timeout_s, deadline_s)) if idle is None else idle
            answer = _Answer(connection, timeout_s, deadline, max_head_bytes, max_bytes, take)
            is_kept = False
            try:
                answer.send(data)
                try:
                    found = answer.read()
                except BrokenExchange:
                    if idle is None or answer.has_begun:
                        raise
                    may_reuse = False  # the server closed the connection just when the request was sent
                    continue
                is_kept = answer.is_reusable and len(self._idle) < _MAX_IDLE
                return found
            finally:
                if is_kept:
                    self._idle.append(connection)
                else:
                    connection.close()

    def _pop_idle(self) -> socket.socket | None:
        """Return an open connection on which nothing has come since its last answer; None if there is none."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if not _has_news(connection):
                return connection
            connection.close()  # closed by the server, or not in step with it

    def close_idle(self) -> None:
        """Close the connections that no thread is using."""
        while self._idle:
            try:
                self._idle.pop().close()
            except IndexError:  # another thread has taken the last one
                return

    def _connect(self, timeout_s: float) -> socket.socket:
        try:
            connection = socket.create_connection(self._address, timeout_s)
        except TimeoutError as e:
            raise ConnectTimeout(str(e)) from e
        except OSError as e:
            host, port = self._address
            raise ConnectError(f"{e.strerror or e} (Failed to connect to {host} port {port})") from e
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connection


def _has_news(connection: socket.socket) -> bool:
    if not hasattr(select, "poll"):  # Windows, where `select` takes any socket
        return bool(select.select([connection], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(0))


class _Answer:
    """Reads one answer from a connection."""

    __slots__ = (
        "_connection", "_deadline", "_max_bytes", "_max_head_bytes", "_take", "_timeout_s", "has_begun", "is_reusable",
    )  # fmt: skip

    def __init__(
        self,
        connection: socket.socket,
        timeout_s: float,
        deadline: float,
        max_head_bytes: int,
        max_bytes: int,
        take: Callable[[int], None] | None,
    ):
        self._connection, self._timeout_s, self._deadline = connection, timeout_s, deadline
        self._max_head_bytes, self._max_bytes, self._take = max_head_bytes, max_bytes, take
        self.has_begun = self.is_reusable = False

    def send(self, data: bytes) -> None:
        try:
            self._wait_at_most()
            self._connection.sendall(data)
        except TimeoutError as e:
            raise self._too_late() from e
        except OSError:
            pass  # the server may have answered before it closed the connection

    def read(self) -> tuple[int, Headers, bytes]:
        """Return status, headers and decoded body.

        Raises: BrokenExchange, ReadTimeout, DeadlineExceeded, AnswerTooLong.
        """
        data, head_bytes = self._receive(), 0
        if not data:
            raise BrokenExchange(WITHOUT_ANSWER)
        self.has_begun = True
        while True:
            end = data.find(b"\r\n\r\n") + 4
            while end < 4:
                if head_bytes + len(data) > self._max_head_bytes:
                    raise AnswerTooLong(self._max_bytes)
                piece = self._receive()
                if not piece or data[:5] != b"HTTP/"[: len(data)]:
                    raise BrokenExchange("what it sent is not HTTP" if piece else "the answer ends in its headers")
                searched = max(0, len(data) - 3)
                data += piece
                end = data.find(b"\r\n\r\n", searched) + 4
            head_bytes += end
            if head_bytes > self._max_head_bytes:
                raise AnswerTooLong(self._max_bytes)
            code = data[9:12]
            if data[:7] != b"HTTP/1." or not code.isdigit() or code == _UPGRADE:
                raise BrokenExchange("what it sent is not HTTP/1.1")
            if code[:1] != _INTERIM:
                break
            data = data[end:]
        lines = data[: end - 4].split(b"\r\n")
        if end > _MAX_LINE_BYTES and max(map(len, lines)) > _MAX_LINE_BYTES:
            raise BrokenExchange("a header is too long")
        headers = read_headers(lines)
        status, length = int(code), headers.get("content-length")
        if length is not None and not (length.isascii() and length.isdigit()):
            raise BrokenExchange(f"its header Content-Length is '{length[:40]}'")
        if status in _WITHOUT_BODY:
            length = "0"
        elif length is None or "transfer-encoding" in headers or "content-encoding" in headers:
            return status, headers, self._read_unusual(data, headers)
        body = self._read_body(data[end:], int(length))
        self.is_reusable = (
            len(data) - end <= len(body) and data[7:8] == b"1" and "close" not in headers.get("connection", "").lower()
        )
        return status, headers, body

    def _read_body(self, piece: bytes, length: int) -> bytes:
        if length > self._max_bytes:
            raise AnswerTooLong(self._max_bytes)
        piece = piece[:length]
        if self._take is not None and piece:
            self._take(len(piece))
        left = length - len(piece)
        if not left:
            return piece
        pieces = [piece]
        while left:
            piece = self._receive(min(left, _LARGE_PIECE_BYTES))
            if not piece:
                raise BrokenExchange(f"the answer ends {left} bytes early")
            if self._take is not None:
                self._take(len(piece))
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def _read_unusual(self, begin: bytes, headers: Headers) -> bytes:
        """Return the decoded body of an answer of any length and encoding, given its bytes so far."""
        import zlib
        from http.client import HTTPException, HTTPResponse

        encoding = headers.get("content-encoding", "identity").lower()
        if encoding not in ("identity", "gzip", "x-gzip"):
            raise BrokenExchange(f"the answer has the encoding '{encoding[:40]}', which it was not asked for")
        gzip = None if encoding == "identity" else zlib.decompressobj(16 + zlib.MAX_WBITS)
        pieces: list[bytes] = []
        num_bytes = 0
        try:
            response = HTTPResponse(_Replay(begin, self._receive))  # type: ignore[arg-type]
            response.begin()
            while packed := response.read1(_PIECE_BYTES):
                while packed:
                    piece, rest = packed, b""
                    if gzip is not None:
                        piece = gzip.decompress(packed, _PIECE_BYTES)
                        rest = gzip.unconsumed_tail
                    num_bytes += len(piece)
                    if num_bytes > self._max_bytes:
                        raise AnswerTooLong(self._max_bytes)
                    if self._take is not None and piece:
                        self._take(len(piece))
                    pieces.append(piece)
                    packed = rest
        except (HTTPException, zlib.error, ValueError) as e:
            raise BrokenExchange(f"the answer cannot be read: {e}") from e
        if response.length or gzip is not None and not gzip.eof:
            raise BrokenExchange("the answer ends early")
        return b"".join(pieces)

    def _receive(self, most: int = _PIECE_BYTES) -> bytes:
        """Return the next bytes; none at the end of the connection."""
        try:
            self._wait_at_most()
            return self._connection.recv(most)
        except TimeoutError as e:
            raise self._too_late() from e
        except OSError as e:
            raise BrokenExchange(e.strerror or str(e)) from e

    def _wait_at_most(self) -> None:
        """Limit the next call's time to the longest silence, or what is left of all the time. Raises TimeoutError."""
        wait_s = min(self._timeout_s, self._deadline - time.monotonic())
        if wait_s <= 0:
            raise TimeoutError
        if wait_s != self._connection.gettimeout():
            self._connection.settimeout(wait_s)

    def _too_late(self) -> Exception:
        if time.monotonic() >= self._deadline:
            return DeadlineExceeded("the answer was not complete in time")
        return ReadTimeout("the server was silent")


class _Replay(io.RawIOBase):
    """What `HTTPResponse` takes for a socket: gives the bytes that are there already, then those that come."""

    def __init__(self, begin: bytes, receive: Callable[[], bytes]):
        self._next, self._receive = begin, receive

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, target: "memoryview") -> int:  # type: ignore[override]
        found = self._next or self._receive()
        size = min(len(target), len(found))
        target[:size], self._next = found[:size], found[size:]
        return size
