"""Supervises a process from start to end: its output, and the resources of all its descendants."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from helm.common.sandbox.contract import SandboxLimits, SandboxResult, SandboxStatus

# The interval of memory checks. Memory can be filled at a few gigabytes per second, so some 50 MB may go unnoticed.
_LOOK_EVERY_S = 0.02

# How long pipes are read after the process has ended: descendants may still hold them open.
_LAST_WORDS_S = 2.0

_PAGE_BYTES = os.sysconf("SC_PAGESIZE")


def can_watch() -> bool:
    """Return whether the system reports the children of processes."""
    thread = os.getpid()
    return os.path.exists(f"/proc/self/task/{thread}/children")


def supervise(
    process: subprocess.Popen,
    stdin: bytes,
    limits: SandboxLimits,
    kill: Callable[[], None],
    watch: bool = True,
) -> SandboxResult:
    """Feed a started process, collect its output, and end it if it exceeds a limit.

    Args:
        process: the process, with pipes for all three standard streams.
        kill: ends the process and everything it started.
        watch: whether to check the memory and number of its processes; False if something else limits them.
    """
    started = time.monotonic()
    streams = _Streams(process, stdin, limits.output_bytes)
    status: SandboxStatus | None = None
    try:
        deadline = started + limits.wall_s
        next_look = started + _LOOK_EVERY_S
        while not streams.are_closed and process.poll() is None:
            now = time.monotonic()
            if now >= deadline:
                status = "timeout"
            elif streams.is_too_much:
                status = "output"
            elif watch and now >= next_look:
                status = find_excess(process.pid, limits)
                next_look = time.monotonic() + _LOOK_EVERY_S
            if status:
                break
            streams.move(min(deadline, next_look if watch else deadline) - now)
        status = status or _wait(process, limits, deadline, watch)
        elapsed_s = time.monotonic() - started
    finally:
        kill()
        process.wait()
        end = time.monotonic() + _LAST_WORDS_S
        while not streams.are_closed and time.monotonic() < end:
            streams.move(end - time.monotonic())
        streams.close()
    if streams.is_too_much:
        status = status or "output"
    code = process.returncode
    if code > 128:  # launchers report a signal like shells
        code = 128 - code
    if status is None:
        status = "timeout" if code == -signal.SIGXCPU else "killed" if code < 0 else "ok"
    return SandboxResult(status, code, bytes(streams.stdout), bytes(streams.stderr), elapsed_s)


def _wait(process: subprocess.Popen, limits: SandboxLimits, deadline: float, watch: bool) -> SandboxStatus | None:
    """Wait for a process that has closed its output."""
    while process.poll() is None:
        if time.monotonic() >= deadline:
            return "timeout"
        status = find_excess(process.pid, limits) if watch else None
        if status:
            return status
        try:
            process.wait(_LOOK_EVERY_S)
        except subprocess.TimeoutExpired:
            continue
    return None


class _Streams:
    """The three pipes of a process."""

    def __init__(self, process: subprocess.Popen, stdin: bytes, max_bytes: int):
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._stdin, self._rest, self._room = process.stdin, memoryview(stdin), max_bytes
        self.stdout, self.stderr = bytearray(), bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe, buffer in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, buffer)
        if stdin:
            os.set_blocking(self._stdin.fileno(), False)
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        else:
            self._stdin.close()
        self._num_open = 2
        self.is_too_much = False

    @property
    def are_closed(self) -> bool:
        """Whether no more output can arrive."""
        return self._num_open == 0

    def move(self, timeout_s: float) -> None:
        """Wait until streams can be read or written, and do so."""
        for key, _ in self._selector.select(max(0.0, timeout_s)):
            if key.fileobj is self._stdin:
                self._write()
            else:
                self._read(key)

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self._stdin.fileno(), self._rest[:65536]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the process does not read its input
            self._rest = self._rest[:0]
        if not self._rest:
            self._selector.unregister(self._stdin)
            self._stdin.close()

    def _read(self, key: selectors.SelectorKey) -> None:
        try:
            chunk = os.read(key.fd, 1 << 20)
        except BlockingIOError:
            return
        if not chunk:
            self._selector.unregister(key.fileobj)
            self._num_open -= 1
        key.data.extend(chunk[: self._room])
        self.is_too_much = self.is_too_much or len(chunk) > self._room
        self._room = max(0, self._room - len(chunk))

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()


def find_descendants(pid: int) -> list[int]:
    """Return the children of a process, their children, and so on."""
    found: list[int] = []
    pending = [pid]
    while pending:
        parent = pending.pop()
        for thread in _list_tasks(parent):
            try:
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    children = [int(word) for word in file.read().split()]
            except OSError:  # it has ended
                continue
            found += children
            pending += children
    return found


def _list_tasks(pid: int) -> Iterable[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:  # it has ended
        return []


def kill_descendants(pid: int) -> None:
    """End everything that a process has started."""
    for descendant in find_descendants(pid):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(descendant, signal.SIGKILL)


def find_excess(pid: int, limits: SandboxLimits) -> SandboxStatus | None:
    """Return the limit that the descendants of a process exceed together, if any."""
    pids = [pid, *find_descendants(pid)]
    num_tasks = private_bytes = 0
    for descendant in pids:
        tasks, size_bytes = _measure(descendant)
        num_tasks += tasks
        private_bytes += size_bytes
    if num_tasks > limits.processes + 4:  # some belong to the sandbox
        return "processes"
    if private_bytes <= limits.memory_bytes:
        return None
    # The quick measure counts pages shared by a fork twice; this one counts them once, but takes longer.
    return "memory" if sum(map(_measure_share, pids)) > limits.memory_bytes else None


def _measure(pid: int) -> tuple[int, int]:
    """Return the number of threads, and the resident memory that does not belong to files."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            _, resident, shared, *_ = file.read().split()
        return len(os.listdir(f"/proc/{pid}/task")), (int(resident) - int(shared)) * _PAGE_BYTES
    except OSError:  # it has ended
        return 0, 0


def _measure_share(pid: int) -> int:
    """Return the resident memory that does not belong to files, with this process's share of shared pages."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Pss_Anon:"):
                    return int(line.split()[1]) * 1024
    except ProcessLookupError:
        return 0
    except OSError:  # no permission: the rougher figure must do
        pass
    return _measure(pid)[1]
