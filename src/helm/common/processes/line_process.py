"""A child process with line-based communication, its own process group, deadlines, and without deadlocks."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO

from helm.common.answer_limits import mebibytes
from helm.common.errors import HelmError

Line = bytes | bytearray
"""A line as it came. A long one is the array in which its pieces were collected: copying it would take as long as it took to
come. Nobody changes it."""

_CHUNK_BYTES = 1 << 20
_SHORT_BYTES = 1 << 16
_PIPE_BYTES = 1 << 20
MAX_LINE_VARIABLE = "HELM_MAX_LINE_MIB"
_DEFAULT_MAX_LINE_MIB = 512
_CHECK_S = 1.0
# A child that has ended may leave a process behind that keeps its pipes open. That process is not expected to answer, but
# data that is still in a pipe counts, so the output ends after this many seconds of silence.
ORPHAN_GRACE_S = 5.0

# Runs in the group of the process it guards and holds a pipe from us: when the pipe closes, our process has ended, however
# suddenly, and the guard kills the whole group. A death signal set before exec would depend on the *thread* that forked.
_GUARD = "import os, signal\nos.read(0, 1)\nos.killpg(0, signal.SIGKILL)"


class Interrupted(Exception):
    """The interrupt descriptor became readable while we waited for the process."""


class LineTooLong(OSError):
    """The process wrote more than fits into memory without ending a line, or without being asked."""


class StartError(HelmError):
    """A command could not be started. The text is the operating system's, such as ``No such file or directory``."""


def describe_os_error(error: OSError) -> str:
    """Describe an error, for example ``No such file or directory (os error 2)``."""
    return f"{error.strerror} (os error {error.errno})" if error.errno is not None else str(error)


class LineProcess:
    """One child process with its standard input and output as streams of lines.

    Reading and writing never block each other: while a large line is written, the child's output is collected,
    so two sides that both write cannot wait for one another. Not safe for use from two threads at once.

    Args:
        command: the words of the command; found on PATH, run in the current folder, never given to a shell.
        interrupt_fd: a descriptor that ends any wait with ``Interrupted`` as soon as it is readable.
        stderr: an open file for the child's standard error; None to inherit ours.
        guarded: whether to kill the process group as soon as this interpreter ends, even when it is killed.
        environment: the child's environment variables; None to inherit ours.
        name: the child's name in errors.
    Raises: StartError when the command cannot be started; ConfigError when `$HELM_MAX_LINE_MIB` is not a number.

    A line of more than `$HELM_MAX_LINE_MIB` (512) mebibytes, or as much unread output, raises LineTooLong when reading or
    writing.
    """

    def __init__(
        self,
        command: Sequence[str],
        interrupt_fd: int | None = None,
        stderr: IO[bytes] | None = None,
        guarded: bool = False,
        environment: Mapping[str, str] | None = None,
        name: str = "process",
    ):
        self._name, self._max_bytes = name, mebibytes(MAX_LINE_VARIABLE, _DEFAULT_MAX_LINE_MIB)
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
                process_group=0,
                env=environment,
            )
        except OSError as error:
            raise StartError(describe_os_error(error)) from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)
            _enlarge_pipe(pipe.fileno())
        self._interrupt_fd = interrupt_fd
        self._lines: deque[Line] = deque()
        self._partial = bytearray()
        self._unread_bytes = 0
        self._at_end = False
        self._is_orphaned = False
        self._answers = self._new_poller(to_read=True)
        self._ended_s: float | None = None
        self._guard = self._start_guard() if guarded else None

    def _start_guard(self) -> subprocess.Popen | None:
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _GUARD],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=self.pid,
            )
        except ProcessLookupError:  # the command has already ended
            return None
        except PermissionError:  # the same, as some systems report it
            return None

    @property
    def pid(self) -> int:
        """Process id of the child, which is also the id of its process group."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Exit code, or minus the signal that ended the child; None while it runs or has not been waited for."""
        return self._process.returncode

    def is_running(self) -> bool:
        return self._process.poll() is None

    # --- lines -----------------------------------------------------------------------------------------------------

    def write(self, data: Line, deadline: float | None = None) -> None:
        """Send all of ``data``.

        Args:
            data: the bytes.
            deadline: a time of ``time.monotonic``; None means no limit.
        Raises: BrokenPipeError when the child no longer reads, TimeoutError, Interrupted.
        """
        if self._stdin.closed:
            raise BrokenPipeError(32, os.strerror(32))
        view = memoryview(data)
        try:
            view = view[os.write(self._stdin.fileno(), view[:_CHUNK_BYTES]) :]  # a short line fits into the pipe
        except BlockingIOError:
            pass
        while view:
            ready = self._poll(deadline, write=True)
            if self._is_orphaned:
                raise BrokenPipeError(32, os.strerror(32))
            if self._stdin.fileno() in ready:
                try:
                    view = view[os.write(self._stdin.fileno(), view[:_CHUNK_BYTES]) :]
                except BlockingIOError:
                    pass
            if self._stdout.fileno() in ready:
                self._receive()

    def read_line(self, deadline: float | None = None, restart_s: float | None = None) -> Line:
        """Read the next line with its newline, which the last line may lack; empty at the end of the child's output.

        Args:
            deadline: a time of ``time.monotonic``; None means no limit.
            restart_s: number of seconds that the child gets again after every piece of output, instead of ``deadline``.
        Raises: TimeoutError when no complete line has come by ``deadline`` (``time.monotonic``), Interrupted.
        """
        while not self._lines:
            if self._at_end:
                rest, self._partial = self._partial, bytearray()
                return rest
            if self._stdout.fileno() in self._poll(deadline, write=False):
                self._receive()
                if restart_s is not None:
                    deadline = time.monotonic() + restart_s
        line = self._lines.popleft()
        self._unread_bytes -= len(line)
        return line

    def _new_poller(self, to_read: bool, to_write: bool = False) -> select.poll:
        poller = select.poll()
        if to_read:
            poller.register(self._stdout.fileno(), select.POLLIN)
        if to_write:
            poller.register(self._stdin.fileno(), select.POLLOUT)
        if self._interrupt_fd is not None:
            poller.register(self._interrupt_fd, select.POLLIN)
        return poller

    def _poll(self, deadline: float | None, write: bool) -> set[int]:
        poller = self._new_poller(not self._at_end, to_write=True) if write else self._answers
        remaining = _CHECK_S if deadline is None else min(_CHECK_S, max(0.0, deadline - time.monotonic()))
        ready = {fd for fd, _ in poller.poll(remaining * 1000)}
        if self._interrupt_fd in ready:
            raise Interrupted
        if ready:
            self._ended_s = None
            return ready
        if deadline is not None and time.monotonic() >= deadline:
            raise TimeoutError
        self._look_for_orphans()
        return ready

    def _look_for_orphans(self) -> None:
        """Treat the output as ended when the child has ended and nothing has arrived for a while."""
        if self.is_running():
            return
        now = time.monotonic()
        if self._ended_s is None:
            self._ended_s = now
        if now - self._ended_s >= ORPHAN_GRACE_S:
            self._at_end = self._is_orphaned = True

    def _receive(self) -> None:
        try:  # small pieces, because most lines are short, and allocating a large buffer would take longer than reading them
            chunk = os.read(self._stdout.fileno(), _CHUNK_BYTES if self._partial else _SHORT_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            self._at_end = True
            return
        self._unread_bytes += len(chunk)
        if self._unread_bytes > self._max_bytes:
            self._lines.clear()
            self._partial.clear()
            raise LineTooLong(
                f"the {self._name} wrote more than {self._max_bytes >> 20} MiB without the end of a line, or without being "
                f"asked. If that is intended, {MAX_LINE_VARIABLE} allows more."
            )
        end = chunk.find(b"\n") + 1
        if not end:
            self._partial += chunk
            return
        first: Line = chunk[:end]
        if self._partial:
            self._partial += first
            first, self._partial = self._partial, bytearray()
        self._lines.append(first)
        if end < len(chunk):
            *complete, last = chunk[end:].split(b"\n")
            self._lines.extend(line + b"\n" for line in complete)
            self._partial += last

    # --- the end ---------------------------------------------------------------------------------------------------

    def close_pipes(self) -> None:
        """Close the child's input and output, so that further output ends it with a broken pipe."""
        for pipe in (self._stdin, self._stdout):
            pipe.close()

    def kill(self) -> None:
        """End the child and everything in its process group at once, and reap it."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # only zombies are left
            pass
        self._process.wait()
        if self._guard is not None:
            assert self._guard.stdin is not None
            self._guard.stdin.close()
            self._guard.wait()
            self._guard = None

    def finish(self, grace_s: float) -> None:
        """Close the pipes, give the child ``grace_s`` seconds to exit by itself, then kill the rest of its group."""
        self.close_pipes()
        end = time.monotonic() + grace_s
        try:
            while self.is_running() and time.monotonic() < end:
                self._sleep(min(0.05, max(0.0, end - time.monotonic())))
        finally:
            self.kill()

    def _sleep(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass
        if self._interrupt_fd is not None and _is_readable(self._interrupt_fd):
            raise Interrupted


def _is_readable(fd: int) -> bool:
    """Return whether a descriptor is readable; with `poll`, because `select.select` fails for numbers above 1023."""
    poller = select.poll()
    poller.register(fd, select.POLLIN)
    return bool(poller.poll(0))


def _enlarge_pipe(fd: int) -> None:
    """Enlarge the kernel buffer, so that long lines need fewer wake-ups; if the system refuses, it stays as it is."""
    try:
        import fcntl

        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass
