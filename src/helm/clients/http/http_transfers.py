"""Many exchanges with one origin that are in flight at the same time, driven by a single thread.

A thread for each exchange would wait for the interpreter's lock most of the time when answers come fast.
"""

import io
import time
from typing import Any

from helm.clients.http.http_answer import Headers, read_headers
from helm.clients.http.http_connections import MAX_HEAD_BYTES, ConnectionPool, Handle
from helm.common.answer_limits import ANSWERS, max_answer_bytes

_UNCOUNTED_BYTES = 1 << 15
"""The first bytes of each answer that need no room in ANSWERS: 16 MiB for all that may be in flight to an endpoint."""

_LOOK_EVERY_S = 0.25
"""How often it is checked whether servers have fallen silent."""

_MOST_WATCHED = 256
_SHORT_WAIT_S = 0.01
"""The longest wait if so many are in flight that the system may not tell of all of their sockets (from descriptor 1024 on)."""


class Transfer:
    """One exchange: what is received so far, and at the end the answer or the error."""

    __slots__ = (
        "_last", "_max_bytes", "_since", "body", "curl", "error", "handle", "head", "is_paused", "is_silent", "is_too_long",
        "item", "length", "seconds", "started", "started_at", "status", "timeout_s",
    )  # fmt: skip

    def __init__(self, handle: Handle):
        self.handle, self.curl = handle, handle.curl
        self.head = io.BytesIO()
        self.body: list[bytes] = []
        self.item: Any = None
        """What the caller has given to `Transfers.begin`."""
        self.error: Exception | None = None
        self.status = 0
        self.seconds = 0.0
        """The response time."""
        self.begin(None, 0.0, 0)

    def begin(self, item: Any, timeout_s: float, max_bytes: int) -> None:
        """Prepare for another exchange of the same handle."""
        self.item, self.timeout_s, self._max_bytes = item, timeout_s, max_bytes
        self.head.seek(0)
        self.head.truncate()
        self.body.clear()
        self.length = 0
        self.is_paused = self.is_silent = self.is_too_long = False
        self.error = None
        self.started_at, self.started = time.time(), time.monotonic()
        self._last, self._since = (0, 0), self.started

    def add_to_body(self, piece: bytes) -> int | None:
        """Keep a decoded piece of the body, called by libcurl; any result but None pauses or ends the exchange."""
        length = self.length + len(piece)
        if length > self._max_bytes:
            self.is_too_long = True
            return 0
        if length > _UNCOUNTED_BYTES and not ANSWERS.try_take(self, len(piece)):
            import pycurl

            self.is_paused = True  # the piece is given again later
            return pycurl.WRITEFUNC_PAUSE
        self.length = length
        self.body.append(piece)
        return None

    @property
    def headers(self) -> Headers:
        return read_headers(self.head.getvalue())

    @property
    def content_type(self) -> str:
        import pycurl

        return self.curl.getinfo(pycurl.CONTENT_TYPE) or ""

    def look(self, now: float) -> bool:
        """Return whether the exchange must end, because the server is silent or its headers do not end."""
        import pycurl

        head_length = self.head.tell()
        if head_length > MAX_HEAD_BYTES:
            self.is_too_long = True
            return True
        moved = self.curl.getinfo(pycurl.SIZE_DOWNLOAD_T) + self.curl.getinfo(pycurl.SIZE_UPLOAD_T)
        state = (moved, head_length)
        if state != self._last or self.is_paused:  # waiting for room is not silence of the server
            self._last, self._since = state, now
        self.is_silent = now - self._since >= self.timeout_s
        return self.is_silent


class Transfers:
    """The exchanges of one thread. Connections stay open between them.

    Args:
        pool: of the origin.
    """

    def __init__(self, pool: ConnectionPool):
        import pycurl

        self._pool = pool
        self._multi = pycurl.CurlMulti()
        self._idle: list[Transfer] = []
        self._in_flight: set[Transfer] = set()
        self._next_look = 0.0
        self._max_bytes = max_answer_bytes()

    def __len__(self) -> int:
        return len(self._in_flight)

    def begin(
        self,
        item: Any,
        target: str,
        lines: list[str],
        body: bytes,
        connect_timeout_s: float,
        timeout_s: float,
        deadline_s: float,
    ) -> None:
        """Begin to POST a request; the arguments are those of `ConnectionPool.exchange`, and its lines of headers."""
        import pycurl

        transfer = self._idle.pop() if self._idle else self._new()
        try:
            self._pool.prepare(transfer.handle, target, lines, connect_timeout_s, deadline_s)
            transfer.curl.setopt(pycurl.POSTFIELDS, body)
            transfer.begin(item, timeout_s, self._max_bytes)
            self._multi.add_handle(transfer.curl)
        except BaseException:
            transfer.curl.close()
            raise
        self._in_flight.add(transfer)

    def _new(self) -> Transfer:
        import pycurl

        transfer = Transfer(self._pool.new_handle())
        curl = transfer.curl
        curl.setopt(pycurl.NOPROGRESS, 1)
        curl.transfer = transfer
        curl.setopt(pycurl.HEADERFUNCTION, transfer.head.write)
        curl.setopt(pycurl.WRITEFUNCTION, transfer.add_to_body)
        return transfer

    def ended(self) -> list[Transfer]:
        """Go on with all exchanges, and return those that ended. They must be given to `reuse` before anything else begins."""
        import pycurl

        if not self._in_flight:
            return []
        self._multi.perform()
        found: list[Transfer] = []
        num_left = 1
        while num_left:
            num_left, well, failed = self._multi.info_read()
            found += [curl.transfer for curl in well]
            for curl, code, text in failed:
                transfer = curl.transfer
                transfer.error = self._error(transfer, pycurl.error(code, text))
                found.append(transfer)
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _LOOK_EVERY_S
            found += self._look(now, found)
        has_room = False
        for transfer in found:
            transfer.seconds = now - transfer.started
            self._multi.remove_handle(transfer.curl)
            self._in_flight.discard(transfer)
            if transfer.length > _UNCOUNTED_BYTES:
                ANSWERS.release(transfer)
                has_room = True
            if transfer.error is None:
                transfer.status = transfer.curl.getinfo(pycurl.RESPONSE_CODE)
        if has_room:
            self._go_on()
        return found

    def _look(self, now: float, ended: list[Transfer]) -> list[Transfer]:
        """Return the exchanges that must end, though libcurl does not end them."""
        import pycurl

        found = []
        for transfer in self._in_flight.difference(ended):
            if transfer.look(now):
                transfer.error = self._error(transfer, pycurl.error(pycurl.E_ABORTED_BY_CALLBACK, "no answer"))
                found.append(transfer)
        self._go_on()
        return found

    def _go_on(self) -> None:
        """Let exchanges go on that wait for room."""
        import pycurl

        for transfer in [transfer for transfer in self._in_flight if transfer.is_paused and transfer.error is None]:
            transfer.is_paused = False
            transfer.curl.pause(pycurl.PAUSE_CONT)

    def reuse(self, transfer: Transfer) -> None:
        """Take back an exchange that ended, with its connection."""
        if transfer.error is None:
            transfer.item = None
            self._idle.append(transfer)
        else:
            transfer.curl.close()

    def wait(self, seconds: float) -> None:
        """Wait until something was received, but not longer."""
        if not self._in_flight:
            time.sleep(seconds)
            return
        if len(self._in_flight) > _MOST_WATCHED:
            seconds = min(seconds, _SHORT_WAIT_S)
        self._multi.select(seconds)

    def close(self) -> list[Transfer]:
        """End all exchanges, close the connections, and return the exchanges that were in flight."""
        in_flight = list(self._in_flight)
        self._in_flight.clear()
        for transfer in in_flight:
            self._multi.remove_handle(transfer.curl)
            transfer.curl.close()
            ANSWERS.release(transfer)
        for transfer in self._idle:
            transfer.curl.close()
        self._idle.clear()
        self._multi.close()
        return in_flight

    def _error(self, transfer: Transfer, error: Exception) -> Exception:
        import pycurl

        is_connected = transfer.curl.getinfo(pycurl.REQUEST_SIZE) > 0
        system_error = transfer.curl.getinfo(pycurl.OS_ERRNO)
        return self._pool.failure(error, transfer, self._max_bytes, is_connected, system_error)
