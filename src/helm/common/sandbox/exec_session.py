"""Sessions in which commands run by a client program, such as `docker exec` or `kubectl exec`. Inside, a shell is needed only."""

import base64
import posixpath
import secrets
import shlex
import socket
import subprocess
import threading
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress

from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.exec_client import Client, Reader
from helm.common.sandbox.exec_scripts import KILL, LIST, PREPARE, REAPER, RUN, SHELL, shell_text, ticks
from helm.common.sandbox.session_contract import CommandResult, Session, SessionEnded, SessionRefused
from helm.common.sandbox.session_server import Output

_START_S = 60.0
"""How long a command may take to begin before the place counts as broken."""
_GRACE_S = 10.0
"""How long a command may take to end after it was killed."""

_CONTROL_S = 120.0
_CLIENT_END_S = 1.0
"""How long a client may take to end when the program has."""

_MAX_LIST_BYTES = 16 << 20
_SLACK_BYTES = 1 << 16

__all__ = ["REAPER", "ExecSession"]


class ExecSession(Session):
    """A place in which commands are run one after the other by a client program on this machine.

    A plugin says how its client runs a program (`client_words`), whether the place is alive (`check_alive`), and how it is
    released (`release`). What is told about a command comes from inside, between random words of ours, not from the client.

    Args:
        workdir: where commands start.
        environment: variables of all commands.
        user: who runs commands, by name or number; None takes the place's own.
    """

    client_folder: str | None = None
    """Where the client runs on this machine; None for the folder of this process."""

    def __init__(self, workdir: str, environment: Mapping[str, str] | None = None, user: str | int | None = None):
        self.workdir, self.user = workdir, user
        self._environment = {"TERM": "dumb", **(environment or {})}
        self._shell: Client | None = None
        self._lock = threading.Lock()
        self._interrupt_lock = threading.Lock()
        self._running: str | None = None
        self._is_interrupted = False
        self._is_closed = False
        self._programs: list[subprocess.Popen[bytes]] = []

    @abstractmethod
    def client_words(self, argv: Sequence[str]) -> list[str]:
        """Return the command line, on this machine, that runs a program inside with our input, and prints its output."""

    @abstractmethod
    def check_alive(self) -> None:
        """Raise SessionEnded, with what is known about the reason, unless the place still runs."""

    @abstractmethod
    def release(self) -> None:
        """Give the place back, with everything that runs in it. Called once. It raises nothing."""

    def status_by_client(self, returncode: int, said: str) -> int | None:
        """Return the status of a program whose end was not told from inside, for example because all inside was killed.

        Args:
            returncode: of the client.
            said: the end of what the client itself has printed as errors.
        Returns: None if the client does not know it, as after a broken connection.
        """
        return None

    def words_for(
        self, argv: Sequence[str], environment: Mapping[str, str], folder: str | None, user: str | int | None
    ) -> list[str]:
        """Return the command line of a program in a folder, with variables, for a user: by a shell inside, which has no users.

        Raises: SessionRefused for a user other than the place's own, of which number 0 is taken to be one.
        """
        if user not in (None, 0, "0", "root"):
            raise SessionRefused(f"Commands cannot be run here as the user '{user}'.")
        if folder is None and not environment:
            return self.client_words(argv)
        words = ["sh", "-c", PREPARE, "sh", folder or self.workdir]
        return self.client_words([*words, *(f"{name}={value}" for name, value in environment.items()), "--", *argv])

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
        variables = {**self._environment, **(environment or {})}
        with self._lock:
            return self._run(argv, variables, folder or self.workdir, self.user, wall_s, stdin, output_bytes, True)

    def run_in_shell(
        self, command: str, *, wall_s: float, output_bytes: int = 1 << 20, restart: bool = False
    ) -> CommandResult:
        with self._lock:
            self._check_open()
            if restart:
                self._end_shell()
            if self._shell is None:
                self._begin_shell()
            assert self._shell is not None
            try:
                found = self._run_in(self._shell, command, wall_s, output_bytes)
            except SandboxError:
                self._end_shell()  # the next command starts a new one, if there still is a sandbox
                raise
            if found.status not in ("ok", "timeout"):
                self._end_shell()
        return found

    def open_program(
        self, argv: Sequence[str], *, environment: Mapping[str, str] | None = None, folder: str | None = None
    ) -> socket.socket:
        self._check_open()
        words = self.words_for(argv, {**self._environment, **(environment or {})}, folder or self.workdir, self.user)
        ours, its = socket.socketpair()
        try:
            with its:
                started = subprocess.Popen(
                    words, stdin=its.fileno(), stdout=its.fileno(), stderr=subprocess.DEVNULL, start_new_session=True,
                    cwd=self.client_folder,
                )  # fmt: skip
        except OSError as e:
            ours.close()
            raise SessionEnded(f"{words[0]} cannot be started: {e.strerror or e}") from e
        self._programs = [*(program for program in self._programs if program.poll() is None), started]
        return ours

    def write(self, path: str, content: bytes, mode: int = 0o644) -> None:
        self._write({path: (content, mode)}, self.user)

    def write_all(self, files: Mapping[str, tuple[bytes, int]]) -> None:
        if files:
            self._write(files, 0)

    def read(self, path: str, max_bytes: int = 1 << 20) -> bytes:
        script = 'if [ ! -f "$1" ]; then cat < "$1" >/dev/null; exit 9; fi; head -c "$2" < "$1"'
        return self._do(["sh", "-c", script, "sh", path, str(max_bytes)], b"", self.user, max_bytes)

    def list_files(self, path: str, max_files: int = 1000) -> list[tuple[str, int]]:
        found = []
        for line in self._script(LIST, path, str(_MAX_LIST_BYTES), output_bytes=_MAX_LIST_BYTES).split(b"\0"):
            size, _, name = line.decode("utf-8", "surrogateescape").partition(" ")
            if size.isdigit() and name.startswith("/"):
                found.append((name, int(size)))
        return sorted(found)[:max_files]

    def make_folder(self, path: str) -> None:
        self._script('mkdir -p -- "$1"', path)

    def empty(self, path: str) -> None:
        self._script('if [ -e "$1" ] || [ -L "$1" ]; then rm -rf -- "$1" && mkdir -p -- "$1"; fi', path)

    def interrupt(self) -> None:
        with self._interrupt_lock:
            pid, self._is_interrupted = self._running, self._running is not None
        if pid is not None:
            self._kill_below(pid, "0")

    def stop_all(self) -> None:
        self._script('kill -STOP -1 2>/dev/null; kill -CONT "$PPID"')  # which tells how this ends

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self.release()
        self._end_shell()
        for program in self._programs:
            program.kill()
            program.wait()

    def _run(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        folder: str | None,
        user: str | int | None,
        wall_s: float,
        stdin: bytes,
        output_bytes: int,
        can_be_interrupted: bool,
    ) -> CommandResult:
        self._check_open()
        word = secrets.token_hex(8)
        started = time.monotonic()
        process = self._start(self.words_for(["sh", "-c", RUN, "sh", word, *argv], environment, folder, user))
        reader = Reader(process, Output(output_bytes), b"%d\n" % len(stdin) + stdin)
        is_interrupted, told = False, None
        try:
            _, pid = reader.read_until(started + _START_S, word)
            if pid is None:
                self._check_begun(process)
                if self.status_by_client(process.wait(), process.said) is None:
                    raise SessionEnded(f"The command did not begin: {process.said}")
                raise SessionRefused(f"The command was not started: {process.said}")
            reader.output = Output(output_bytes)  # what came before is the client's
            started = time.monotonic()  # the time that the client needs is not the command's
            if can_be_interrupted:
                with self._interrupt_lock:
                    self._running, self._is_interrupted = pid, False
            _, told = reader.read_until(started + wall_s, f"{word}-end")
            if can_be_interrupted:
                with self._interrupt_lock:
                    self._running, is_interrupted = None, self._is_interrupted
            elapsed_s = time.monotonic() - started
            status = "interrupted" if is_interrupted else "ok"
            if told is None and not is_interrupted:
                if process.poll() is None and not reader.has_closed:
                    status = "timeout"
                    self._kill_below(pid, "0")
                    reader.read_to_end(time.monotonic() + _GRACE_S)
                else:
                    told = str(self._status_of_ended(process))
        finally:
            reader.close(_CLIENT_END_S if told is not None else 0.0)
        returncode = int(told) if told is not None and status == "ok" else None
        return CommandResult(status, returncode, reader.output.bytes(), elapsed_s)

    def _run_in(self, shell: Client, command: str, wall_s: float, output_bytes: int) -> CommandResult:
        word, over = secrets.token_hex(8), f"{self._shell_word}-over"
        text = shell_text(word, command.replace("\0", "").encode("utf-8", "surrogatepass"))
        reader = Reader(shell, Output(output_bytes), text)
        try:
            _, began = reader.read_until(time.monotonic() + _START_S, f"{word}-begun", over)
            if began is None and shell.poll() is None:
                self._check_begun(shell)
            started = time.monotonic()
            which, told = reader.read_until(started + wall_s, word, over) if began is not None else ("", None)
            status = "ok" if which == word else "ended"
            if told is None and shell.poll() is None and not reader.has_closed:
                self._kill_below(self._shell_pid, ticks(began))
                which, told = reader.read_until(time.monotonic() + _GRACE_S / 5, word, over)
                status, told = ("timeout", told) if which == word else ("timeout_ended", None)
            elif told is None:
                told = str(self._status_of_ended(shell))
        finally:
            reader.forget()
        returncode = int(told) if told is not None and told.isdigit() else None
        return CommandResult(status, returncode, reader.output.bytes(), time.monotonic() - started)

    def _status_of_ended(self, process: Client) -> int:
        """Return the status of a program whose client ended before we were told how. Raises: SessionEnded if it is unknown."""
        with suppress(subprocess.TimeoutExpired):
            process.wait(_CLIENT_END_S)
        self.check_alive()
        known = self.status_by_client(process.returncode, process.said) if process.returncode is not None else None
        if known is None:
            raise SessionEnded(
                f"The connection to a command broke before its end: {process.said or 'nothing was said'}"
            )
        return known

    def _write(self, files: Mapping[str, tuple[bytes, int]], user: str | int | None) -> None:
        lines = ["set -e"]
        for path, (content, mode) in files.items():
            name, folder = shlex.quote(path), shlex.quote(posixpath.dirname(path) or "/")
            lines += [f"mkdir -p -- {folder}", f"base64 -d > {name} <<'END'"]
            lines += [base64.encodebytes(content).decode().rstrip("\n"), "END", f"chmod {mode:o} {name}"]
        lines.append("echo written\n")
        said = self._do(["sh", "-s"], "\n".join(lines).encode("utf-8", "surrogateescape"), user)
        if not said.endswith(b"written\n"):
            raise SessionEnded("The connection broke while files were written.")

    def _script(self, script: str, *arguments: str, output_bytes: int = _SLACK_BYTES) -> bytes:
        return self._do(["sh", "-c", script, "sh", *arguments], b"", 0, output_bytes)

    def _do(self, argv: Sequence[str], data: bytes, user: str | int | None, output_bytes: int = _SLACK_BYTES) -> bytes:
        """Return what a program of ours has printed, whole. Raises: SessionRefused if it fails; SessionEnded."""
        room = 2 * max(output_bytes, _SLACK_BYTES)  # so that nothing is cut
        found = self._run(argv, {}, None, user, _CONTROL_S, data, room, False)
        if found.status != "ok":
            raise SessionEnded(f"A file operation did not end within {_CONTROL_S:g} s.")
        if found.returncode:
            lines = found.output.decode("utf-8", "replace").strip().splitlines()
            raise SessionRefused(lines[-1] if lines else f"status {found.returncode}")
        return found.output

    def _start(self, words: Sequence[str]) -> Client:
        try:
            return Client(words, self.client_folder)
        except OSError as e:
            raise SessionEnded(f"{words[0]} cannot be started: {e.strerror or e}") from e

    def _begin_shell(self) -> None:
        word = secrets.token_hex(8)
        argv = ["sh", "-c", SHELL, "sh", word]
        process = self._start(self.words_for(argv, self._environment, self.workdir, self.user))
        reader = Reader(process, Output(4096), b'printf "\\000%s %d\\000" ' + word.encode() + b" $$\n")
        _, pid = reader.read_until(time.monotonic() + _START_S, word)
        if pid is None:
            try:
                self._check_begun(process)
            finally:
                reader.close()
            if self.status_by_client(process.wait(), process.said) is None:
                raise SessionEnded(f"The shell did not begin: {process.said}")
            raise SessionRefused(f"No shell starts: {process.said}")
        reader.forget()
        self._shell, self._shell_pid, self._shell_word = process, pid, word

    def _end_shell(self) -> None:
        process, self._shell = self._shell, None
        if process is None:
            return
        if not self._is_closed and process.poll() is None:
            with suppress(SandboxError):
                self._kill_below(self._shell_pid, "0")
        process.end()

    def _kill_below(self, pid: str, began: str) -> None:
        with suppress(SessionRefused):
            self._script(KILL, pid, began)

    def _check_open(self) -> None:
        if self._is_closed:
            raise SessionEnded("The sandbox was ended.")

    def _check_begun(self, client: Client) -> None:
        """Raise SessionEnded unless the client has said by its end that the command cannot be started."""
        if client.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                client.wait(_CLIENT_END_S)  # its output ends just before itself
        if client.poll() is None:
            client.kill()
            raise SessionEnded(f"No command begins in the sandbox within {_START_S:g} s.")
        self.check_alive()
