"""A sandbox that lives for a whole session: commands follow each other, and files and background processes stay."""

import json
import os
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import resources
from typing import Any

from helm.common.pipes import wait_until_ready
from helm.common.sandbox.bubblewrap import BubblewrapSandbox
from helm.common.sandbox.contract import SandboxError, SandboxLimits, base_environment
from helm.common.sandbox.session_contract import CommandResult, Session, SessionEnded, SessionRefused
from helm.common.sandbox.supervision import find_excess, kill_descendants

_LOOK_EVERY_S = 0.1
_GRACE_S = 10.0
"""How much longer than a command's own time an answer may take before the session counts as broken."""

_MAX_HEADER = 1 << 24

__all__ = ["CommandResult", "SandboxSession", "SessionEnded", "SessionRefused", "is_available"]

_LOADER = """\
import os, sys
source, reader = b"", int(sys.argv[1])
size = int(os.read(reader, 8), 16)
while len(source) < size:
    source += os.read(reader, size - len(source))
exec(compile(source, "session_server.py", "exec"))
"""
"""Reads the server's program from the pipe, so that it is not in the list of processes."""


class SandboxSession(Session):
    """A sandbox by bubblewrap in which commands are run one after the other.

    Inside are the system's programs and this Python, read-only, no network, nothing of our environment, and the folders
    given, which are in memory. Programs inside have one user id, so a background process can change files of later commands.

    Args:
        folders: absolute paths of the writable folders.
        workdir: where commands start.
        limits: `wall_s` bounds the processor time of each process; memory and processes are bounded together; each folder has
            `scratch_bytes`.
        environment: variables of all commands.
        shared: paths of this machine that are visible inside, read-only.
    Raises: SandboxError if it cannot be started.
    """

    def __init__(
        self,
        folders: Sequence[str],
        workdir: str,
        limits: SandboxLimits,
        environment: Mapping[str, str] | None = None,
        shared: Sequence[str] = (),
    ):
        sandbox = BubblewrapSandbox()
        self._workdir, self._limits = workdir, limits
        self._environment = {**base_environment(sandbox.python), "TERM": "dumb", **(environment or {})}
        self._lock = threading.Lock()
        self._interrupt_lock, self._courier_lock = threading.Lock(), threading.Lock()
        self._is_running = False
        self._excess: str | None = None
        self._is_closed = threading.Event()
        to_server, self._writer = os.pipe()
        self._reader, from_server = os.pipe()
        self._courier, courier = socket.socketpair()
        source = resources.files("helm.common.sandbox").joinpath("session_server.py").read_bytes()
        descriptors = [to_server, from_server, courier.fileno()]
        argv = [sandbox.python, "-I", "-S", "-c", _LOADER, *map(str, descriptors)]
        try:
            self._process, self._leader = sandbox.start_first(
                argv, folders, replace(limits, output_bytes=1 << 30), descriptors, shared
            )
        except BaseException:
            os.close(self._writer)
            os.close(self._reader)
            self._courier.close()
            raise
        finally:
            os.close(to_server)
            os.close(from_server)
            courier.close()
        self._watcher = threading.Thread(target=self._watch, name="sandbox session", daemon=True)
        self._watcher.start()
        try:
            self._send(b"%08x" % len(source) + source, time.monotonic() + _GRACE_S)
            self.make_folder(workdir)
        except (SandboxError, OSError) as e:
            self._leader.kill()
            said = self._last_words()  # before its pipe is closed
            self.close()
            raise SandboxError(f"The sandbox does not start: {e} {said}".strip()) from e

    def run(
        self,
        argv: Sequence[str],
        *,
        wall_s: float,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        folder: str | None = None,
        output_bytes: int = 1 << 20,
    ) -> CommandResult:
        """Run a program to its end, or to the end of its time; what it started in the background stays.

        Raises: SessionRefused if it cannot be started; SessionEnded.
        """
        return self._command(
            {
                "do": "run", "argv": list(argv), "wall_s": wall_s, "output_bytes": output_bytes,
                "environment": {**self._environment, **(environment or {})}, "folder": folder or self._workdir,
            },
            stdin, wall_s,
        )  # fmt: skip

    def run_in_shell(
        self, command: str, *, wall_s: float, output_bytes: int = 1 << 20, restart: bool = False
    ) -> CommandResult:
        """Run a command in the session's shell, which keeps its folder, variables and background processes.

        Raises: SessionRefused without bash; SessionEnded.
        """
        return self._command(
            {
                "do": "shell", "wall_s": wall_s, "output_bytes": output_bytes, "restart": restart,
                "environment": self._environment, "folder": self._workdir,
            },
            command.encode("utf-8", "surrogatepass"), wall_s,
        )  # fmt: skip

    def open_program(
        self, argv: Sequence[str], *, environment: Mapping[str, str] | None = None, folder: str | None = None
    ) -> socket.socket:
        """Start a program, and return a socket that is its standard input and output. Raises: SessionRefused, SessionEnded."""
        variables = {**self._environment, **(environment or {})}
        return self._ask_for_socket(
            {"do": "open", "argv": list(argv), "environment": variables, "folder": folder or self._workdir}
        )

    def write(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Write a file, with the folders above it. Raises: SessionRefused, SessionEnded."""
        self._ask({"do": "write", "path": path, "mode": mode}, content)

    def read(self, path: str, max_bytes: int = 1 << 20) -> bytes:
        """Return a file, at most its first `max_bytes`. Raises: SessionRefused, SessionEnded."""
        return self._ask({"do": "read", "path": path, "max_bytes": max_bytes})[1]

    def list_files(self, path: str, max_files: int = 1000) -> list[tuple[str, int]]:
        """Return the regular files below a folder, with their sizes. Raises: SessionEnded."""
        answer, _ = self._ask({"do": "list", "path": path, "max_files": max_files})
        return [(str(name), int(size)) for name, size in answer["files"]]

    def make_folder(self, path: str) -> None:
        """Make a folder, with those above it. Raises: SessionRefused, SessionEnded."""
        self._ask({"do": "make_folder", "path": path})

    def empty(self, path: str) -> None:
        """Delete everything in a folder. Raises: SessionRefused, SessionEnded."""
        self._ask({"do": "empty", "path": path})

    def interrupt(self) -> None:
        """End the program that `run` has started in another thread, if there is one; its status is `interrupted`."""
        with self._interrupt_lock:
            if self._is_running:
                os.write(self._writer, b"!")

    def listen(self, port: int) -> socket.socket:
        """Return a socket that programs inside reach at a port of 127.0.0.1. It is the only way out of the sandbox.

        Raises: SessionRefused if the port is taken inside; SessionEnded.
        """
        return self._ask_for_socket({"do": "listen", "port": port})

    def stop_all(self) -> None:
        """Stop all programs inside, so that none changes what is read now. Raises: SessionEnded."""
        self._ask({"do": "signal_all", "signal": "SIGSTOP"})

    def close(self) -> None:
        """End everything inside."""
        self._is_closed.set()
        self._leader.kill()
        self._process.wait()
        self._watcher.join()
        with self._lock:
            for fd in (self._writer, self._reader):
                with suppress(OSError):
                    os.close(fd)
            self._writer = self._reader = -1
            self._courier.close()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    pipe.close()

    def _ask_for_socket(self, request: dict[str, Any]) -> socket.socket:
        with self._courier_lock:
            self._ask(request)
            self._courier.settimeout(_GRACE_S)
            try:
                _, descriptors, _, _ = socket.recv_fds(self._courier, 1, 1)
            except OSError as e:
                raise SessionEnded(f"The sandbox does not answer: {e}") from e
        if not descriptors:
            raise SessionEnded("The sandbox has handed out no socket.")
        return socket.socket(fileno=descriptors[0])

    def _command(self, request: dict[str, Any], data: bytes, wall_s: float) -> CommandResult:
        self._excess = None
        answer, output = self._ask(request, data, wall_s)
        status = self._excess or answer["status"]
        return CommandResult(str(status), answer["returncode"], output, float(answer["elapsed_s"]))

    def _ask(self, request: dict[str, Any], data: bytes = b"", wall_s: float = 0.0) -> tuple[dict[str, Any], bytes]:
        with self._lock:
            if self._is_closed.is_set():
                raise SessionEnded("The sandbox was ended.")
            header = json.dumps({**request, "size": len(data)}).encode("utf-8", "surrogatepass")
            end = time.monotonic() + wall_s + _GRACE_S
            try:
                self._send(b"%08x" % len(header) + header + data, end)
                with self._interrupt_lock:
                    self._is_running = request["do"] == "run"
                try:
                    size = int(self._receive(8, end), 16)
                finally:
                    with self._interrupt_lock:
                        self._is_running = False
                if size > _MAX_HEADER:
                    raise SessionEnded("The sandbox gave an answer that is too long.")
                answer = json.loads(self._receive(size, end))
                content = self._receive(int(answer["size"]), end)
            except (OSError, ValueError) as e:
                raise SessionEnded(f"The sandbox does not answer: {e}") from e
        if "error" in answer:
            path = f"{answer['path']}: " if answer.get("path") else ""
            raise SessionRefused(f"{path}{answer['error']}")
        return answer, content

    def _send(self, data: bytes, end: float) -> None:
        os.set_blocking(self._writer, False)
        view = memoryview(data)
        while view:
            if not wait_until_ready(self._writer, end - time.monotonic(), to_write=True):
                raise SessionEnded("The sandbox does not answer.")
            view = view[os.write(self._writer, view[:65536]) :]

    def _receive(self, size: int, end: float) -> bytes:
        found = bytearray()
        while len(found) < size:
            if not wait_until_ready(self._reader, end - time.monotonic()):
                raise SessionEnded("The sandbox does not answer.")
            piece = os.read(self._reader, min(size - len(found), 1 << 20))
            if not piece:
                raise SessionEnded("The sandbox has ended.")
            found += piece
        return bytes(found)

    def _watch(self) -> None:
        """Kill everything inside but the server when it uses too much together."""
        pid = self._leader.pid
        while pid is not None and not self._is_closed.wait(_LOOK_EVERY_S):
            excess = find_excess(pid, self._limits)
            if excess is not None:
                self._excess = excess
                kill_descendants(pid)

    def _last_words(self) -> str:
        stderr = self._process.stderr
        try:
            return (stderr.read() or b"").decode(errors="replace").strip()[-500:] if stderr is not None else ""
        except (OSError, ValueError):
            return ""


def is_available() -> bool:
    """Return whether this machine has what a session needs."""
    try:
        BubblewrapSandbox().check()
    except SandboxError:
        return False
    return True
