"""The client program of a session, such as `docker exec`, and its output, in which words of ours stand between zero bytes."""

import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress

from helm.common.sandbox.session_server import Output

_MAX_MARKER = 128
_MAX_SAID = 500


class Client(subprocess.Popen[bytes]):
    """A client program. Its own errors go into a file, so that they are not taken for output of the program inside."""

    def __init__(self, words: Sequence[str], folder: str | None):
        self._said = tempfile.TemporaryFile()
        pipe = subprocess.PIPE
        try:
            super().__init__(
                words, stdin=pipe, stdout=pipe, stderr=self._said, bufsize=0, start_new_session=True, cwd=folder
            )
        except BaseException:
            self._said.close()
            raise

    @property
    def said(self) -> str:
        """The end of what the client itself has said."""
        size = os.fstat(self._said.fileno()).st_size
        return os.pread(self._said.fileno(), _MAX_SAID, max(0, size - _MAX_SAID)).decode("utf-8", "replace").strip()

    def end(self) -> None:
        """Kill it, and close its pipes."""
        if self.poll() is None:
            self.kill()
            self.wait()
        for pipe in (self.stdin, self.stdout, self._said):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class Reader:
    """Reads the output of a client, in which our own words stand between zero bytes, and feeds its input, which stays open."""

    def __init__(self, process: Client, output: Output, data: bytes):
        self.output = output
        self._process, self._left, self._pending = process, memoryview(data), b""
        self.has_closed = False
        """Whether nothing more comes."""
        assert process.stdin is not None and process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def read_until(self, end: float, *words: str) -> tuple[str, str | None]:
        """Read up to one of our words, and return it and what follows it; None as that if the time or the output ends before."""
        marks = {b"\0" + word.encode() + b" ": word for word in words}
        while True:
            places = [(place, mark) for mark in marks if (place := self._pending.find(mark)) >= 0]
            place, mark = min(places, default=(-1, b""))
            stop = self._pending.find(b"\0", place + 1) if places else -1
            if stop >= 0:
                told = self._pending[place + len(mark) : stop].decode("ascii", "replace")
                self.output.add(self._pending[:place])
                self._pending = self._pending[stop + 1 :]
                return marks[mark], told
            if not places and len(self._pending) > _MAX_MARKER:
                self.output.add(self._pending[:-_MAX_MARKER])
                self._pending = self._pending[-_MAX_MARKER:]
            if self._is_over() or not self._wait(end):
                self._flush()
                return "", None

    def read_to_end(self, end: float) -> None:
        """Read until the client has ended, or until a time."""
        while not self._is_over() and self._wait(end):
            self._flush()
        self._flush()

    def _is_over(self) -> bool:
        """Whether nothing more comes: what a program has left in the background may keep the pipe of its client open."""
        return self.has_closed or (self._process.poll() is not None and not self._wait(0.0))

    def forget(self) -> None:
        """Keep what is left for nobody, but leave the client alive."""
        self._flush()
        self._selector.close()

    def close(self, seconds: float = 0.0) -> None:
        """End the input and the client, which has some time to end by itself."""
        self._selector.close()
        with suppress(OSError):
            self._stdin.close()
        if seconds:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._process.end()

    def _flush(self) -> None:
        if self._pending:
            self.output.add(self._pending)
            self._pending = b""

    def _wait(self, end: float) -> bool:
        """Move some data, at most until a time; return whether there is more to wait for."""
        left = end - time.monotonic()
        if left <= 0 and end > 0.0:
            return False
        for key, _ in self._selector.select(min(max(left, 0.0), 0.1)):
            if key.fileobj is self._stdin:
                self._feed()
                continue
            try:
                data = os.read(self._stdout.fileno(), 1 << 16)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(self._stdout)
                self.has_closed = True
            self._pending += data
            if end == 0.0:
                return bool(data)
        return end > 0.0

    def _feed(self) -> None:
        try:
            if self._left:
                self._left = self._left[os.write(self._stdin.fileno(), self._left[:65536]) :]
        except BlockingIOError:
            return
        except OSError:
            self._left = self._left[:0]
        if not self._left:
            self._selector.unregister(self._stdin)
