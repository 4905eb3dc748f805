"""A container of Docker or Podman that lives for a whole session. Commands are run by `exec`, so the image needs a shell only."""

import base64
import os
import posixpath
import secrets
import selectors
import shlex
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from helm.common.sandbox.container_engine import (
    OWNER_LABEL,
    ContainerEngine,
    EngineError,
    EngineTimeout,
    describe_owner,
)
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import CommandResult, Session, SessionEnded, SessionRefused
from helm.common.sandbox.session_server import Output

EPISODE_LABEL = "helm-episode"
_START_S = 60.0
"""How long a command may take to begin before the container counts as broken."""
_GRACE_S = 10.0
"""How long a command may take to end after it was killed."""

_CONTROL_S = 120.0
_MAX_MARKER = 128
_REAPER = 'trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done'
"""The first process: it does nothing but wait, which takes leave of orphans as well."""

_RUN = 'printf "\\000%s %d\\000" "$1" $$; shift; exec "$@" 2>&1'
"""Names the process before it becomes the program. Arguments: a random word, and the program with its arguments."""

_KILL = """\
all= ; for file in /proc/[0-9]*/stat; do
  { read -r line < "$file"; } 2>/dev/null || continue
  pid=${file#/proc/}; pid=${pid%/stat}
  set_ () { found="$pid:$2:${20}"; }; set_ ${line##*) }
  all="$all $found"
done
known=" $1 "; again=1
while [ "$again" ]; do again=
  for one in $all; do
    pid=${one%%:*}; rest=${one#*:}; parent=${rest%%:*}; began=${rest#*:}
    case "$known" in *" $pid "*) continue;; esac
    case "$known" in *" $parent "*) ;; *) continue;; esac
    if [ "$parent" = "$1" ] && [ "$began" -lt "$2" ]; then continue; fi
    known="$known$pid "; again=1
  done
done
for pid in $known; do if [ "$pid" != "$1" ] || [ "$2" = 0 ]; then kill -9 "$pid" 2>/dev/null; fi; done; :
"""
"""Kills the processes below one that began at a time or later, in hundredths of a second; at 0, also itself."""

_LISTEN = """\
import ctypes, os, socket, sys
space = os.open(f"/proc/{sys.argv[1]}/ns/net", os.O_RDONLY)
if ctypes.CDLL(None, use_errno=True).setns(space, 0x40000000):
    sys.exit(os.strerror(ctypes.get_errno()))
listener = socket.create_server(("127.0.0.1", int(sys.argv[2])), backlog=128)
with socket.socket(fileno=int(sys.argv[3])) as courier:
    socket.send_fds(courier, [b"!"], [listener.fileno()])
"""
"""Makes a socket in the network of a process, and hands it out."""


class ContainerSession(Session):
    """A container in which commands are run one after the other, as one user. It is removed at the end.

    Args:
        engine: Docker or Podman.
        image: its name or identifier; it is not fetched.
        options: further options of `run`; see `run_options`.
        workdir: where commands start; None takes the image's.
        environment: variables of all commands.
        user: name or number of the user of commands; None takes the image's. Files are put there by the first user, `root`.
        label: names the episode.
    Raises: SandboxError if it cannot be started.
    """

    def __init__(
        self,
        engine: ContainerEngine,
        image: str,
        options: Sequence[str],
        workdir: str | None = None,
        environment: Mapping[str, str] | None = None,
        user: str | int | None = None,
        label: str = "",
    ):
        self._engine, self.user = engine, user
        self._environment = {"TERM": "dumb", **(environment or {})}
        self._shell: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._interrupt_lock = threading.Lock()
        self._running: str | None = None
        self._is_interrupted = False
        self._is_closed = False
        self._name = f"helm-{secrets.token_hex(8)}"
        words = ["run", "--detach", "--name", self._name, *options, "--user=0", "--entrypoint=sh"]
        words += ["--label", f"{OWNER_LABEL}={describe_owner()}", "--label", f"{EPISODE_LABEL}={label[:200]}"]
        try:
            self._id = engine.call(*words, image, "-c", _REAPER, wall_s=_CONTROL_S).decode().split()[-1]
            self.workdir = workdir or self._image_workdir()
            self.make_folder(self.workdir)
        except (SandboxError, IndexError) as e:
            with suppress(SandboxError):
                engine.call("rm", "--force", "--volumes", self._name)
            raise SandboxError(f"The container does not start: {e}") from e

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
        word = secrets.token_hex(8)
        options = self._options(environment, folder)
        words = [*options, self._id, "sh", "-c", _RUN, "sh", word, *argv]
        with self._lock:
            self._check_open()
            started = time.monotonic()
            process = self._start(words)
            reader = _Reader(process, Output(output_bytes), stdin)
            try:
                pid = reader.read_until(word, started + _START_S)
                if pid is None:
                    self._check_begun(process)
                    said = reader.output.bytes().decode("utf-8", "replace").strip()
                    raise SessionRefused(f"The command was not started: {said[-500:]}")
                started = time.monotonic()  # the time that the engine needs is not the command's
                with self._interrupt_lock:
                    self._running, self._is_interrupted = pid, False
                has_ended = reader.read_to_end(started + wall_s)
                with self._interrupt_lock:
                    self._running, is_interrupted = None, self._is_interrupted
                if not has_ended:
                    self._kill_below(pid, "0")
                    reader.read_to_end(time.monotonic() + _GRACE_S)
                elif process.returncode:
                    self._check_running()
            finally:
                reader.close()
        status = "ok" if has_ended and not is_interrupted else "interrupted" if is_interrupted else "timeout"
        returncode = process.returncode if status == "ok" else None
        return CommandResult(status, returncode, reader.output.bytes(), time.monotonic() - started)

    def run_in_shell(
        self, command: str, *, wall_s: float, output_bytes: int = 1 << 20, restart: bool = False
    ) -> CommandResult:
        with self._lock:
            self._check_open()
            if restart:
                self._end_shell()
            started = time.monotonic()
            if self._shell is None:
                self._begin_shell()
            process = self._shell
            assert process is not None
            word = secrets.token_hex(8)
            text = command.replace("\0", "").encode("utf-8", "surrogatepass")
            reader = _Reader(process, Output(output_bytes), _shell_text(word, text))
            reader.is_shell = True
            began = reader.read_until(f"{word}-begun", started + _START_S)
            if began is None and process.poll() is None:
                self._check_begun(process)
            started = time.monotonic()
            told = reader.read_until(word, started + wall_s) if began is not None else None
            status = "ok"
            if told is None and process.poll() is None:
                status = "timeout"
                self._kill_below(self._shell_pid, _ticks(began))
                told = reader.read_until(word, time.monotonic() + _GRACE_S / 5)
                if told is None:
                    status = "timeout_ended"
                    self._end_shell()
            elif told is None:
                status = "ended"
                self._end_shell()
                self._check_running()
            reader.forget()
        returncode = int(told) if told is not None and told.isdigit() else None
        elapsed_s = time.monotonic() - started
        return CommandResult(status, returncode, reader.output.bytes(), elapsed_s)

    def write(self, path: str, content: bytes, mode: int = 0o644) -> None:
        self._write({path: (content, mode)}, self.user)

    def write_all(self, files: Mapping[str, tuple[bytes, int]]) -> None:
        if files:
            self._write(files, 0)

    def read(self, path: str, max_bytes: int = 1 << 20) -> bytes:
        script = 'if [ ! -f "$1" ]; then cat < "$1" >/dev/null; exit 9; fi; head -c "$2" < "$1"'
        return self._do(["sh", "-c", script, "sh", path, str(max_bytes)], b"", self.user)

    def list_files(self, path: str, max_files: int = 1000) -> list[tuple[str, int]]:
        script = '[ -d "$1" ] || exit 0; find "$1" -type f -exec stat -c "%s %n" {} + | sort -k 2 | head -n "$2"'
        found = []
        for line in self._script(script, path, str(max_files)).decode("utf-8", "replace").splitlines():
            size, _, name = line.partition(" ")
            if size.isdigit() and name.startswith("/"):
                found.append((name, int(size)))
        return found

    def make_folder(self, path: str) -> None:
        self._script('mkdir -p -- "$1"', path)

    def empty(self, path: str) -> None:
        self._script('if [ -e "$1" ] || [ -L "$1" ]; then rm -rf -- "$1" && mkdir -p -- "$1"; fi', path)

    def interrupt(self) -> None:
        with self._interrupt_lock:
            pid, self._is_interrupted = self._running, self._running is not None
        if pid is not None:
            self._kill_below(pid, "0")

    def listen(self, port: int) -> socket.socket:
        pid = (
            self._engine.call("inspect", "--type", "container", "--format", "{{.State.Pid}}", self._id).decode().strip()
        )
        mine, theirs = socket.socketpair()
        with mine, theirs:
            argv = [sys.executable, "-I", "-S", "-c", _LISTEN, pid, str(port), str(theirs.fileno())]
            done = subprocess.run(
                argv, pass_fds=[theirs.fileno()], capture_output=True, timeout=_CONTROL_S, check=False
            )
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
                raise SessionRefused(
                    f"No port can be opened in the container ({' '.join(said)}): that needs the rights of root on this machine."
                )
            _, descriptors, _, _ = socket.recv_fds(mine, 1, 1)
        return socket.socket(fileno=descriptors[0])

    def stop_all(self) -> None:
        self._script("kill -STOP -1 2>/dev/null; :")

    def snapshot(self) -> str:
        """Keep the files as they are as an image, and return its identifier. Memory and processes are not kept."""
        return self._engine.call("commit", self._id, wall_s=600.0).decode().split()[-1]

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        with suppress(EngineError):
            self._engine.call("kill", self._id)
        with suppress(EngineError):
            self._engine.call("rm", "--force", "--volumes", self._id)
        self._end_shell()

    def _write(self, files: Mapping[str, tuple[bytes, int]], user: str | int | None) -> None:
        lines = ["set -e"]
        for path, (content, mode) in files.items():
            name, folder = shlex.quote(path), shlex.quote(posixpath.dirname(path) or "/")
            lines += [f"mkdir -p -- {folder}", f"base64 -d > {name} <<'END'"]
            lines += [base64.encodebytes(content).decode().rstrip("\n"), "END", f"chmod {mode:o} {name}"]
        self._do(["sh", "-s"], "\n".join(lines).encode("utf-8", "surrogatepass"), user)

    def _script(self, script: str, *arguments: str) -> bytes:
        return self._do(["sh", "-c", script, "sh", *arguments], b"", 0)

    def _do(self, argv: Sequence[str], data: bytes, user: str | int | None) -> bytes:
        self._check_open()
        try:
            words = ["exec", "--interactive", *([f"--user={user}"] if user is not None else [])]
            return self._engine.call(*words, self._id, *argv, data=data, wall_s=_CONTROL_S)
        except EngineTimeout as e:
            raise SessionEnded(str(e)) from e
        except EngineError as e:
            self._check_running()
            raise SessionRefused(e.said.rpartition("\n")[2] or str(e)) from e

    def _image_workdir(self) -> str:
        form = "{{.Config.WorkingDir}}"
        return self._engine.call("inspect", "--type", "container", "--format", form, self._id).decode().strip() or "/"

    def _options(self, environment: Mapping[str, str] | None, folder: str | None) -> list[str]:
        words = ["exec", "--interactive", "--workdir", folder or self.workdir]
        for name, value in {**self._environment, **(environment or {})}.items():
            words += ["--env", f"{name}={value}"]
        return [*words, *([f"--user={self.user}"] if self.user is not None else [])]

    def _start(self, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                [self._engine.program, *words], stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, bufsize=0,
                start_new_session=True, cwd=self._engine.folder,
            )  # fmt: skip
        except OSError as e:
            raise SessionEnded(f"{self._engine.name} cannot be started: {e.strerror or e}") from e

    def _begin_shell(self) -> None:
        chosen = "if command -v bash >/dev/null 2>&1; then exec bash --noprofile --norc; fi; exec sh"
        process = self._start([*self._options(None, None), self._id, "sh", "-c", chosen])
        word = secrets.token_hex(8)
        reader = _Reader(process, Output(4096), b'exec 2>&1; printf "\\000%s %d\\000" ' + word.encode() + b" $$\n")
        reader.is_shell = True
        pid = reader.read_until(word, time.monotonic() + _START_S)
        if pid is None:
            try:
                self._check_begun(process)
            finally:
                reader.close()
            raise SessionRefused(f"No shell starts: {reader.output.bytes().decode('utf-8', 'replace').strip()[-500:]}")
        reader.forget()
        self._shell, self._shell_pid = process, pid

    def _end_shell(self) -> None:
        process, self._shell = self._shell, None
        if process is None:
            return
        if not self._is_closed and process.poll() is None:
            with suppress(SandboxError):
                self._kill_below(self._shell_pid, "0")
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _kill_below(self, pid: str, began: str) -> None:
        with suppress(SessionRefused):
            self._script(_KILL, pid, began)

    def _check_open(self) -> None:
        if self._is_closed:
            raise SessionEnded("The container was ended.")

    def _check_begun(self, client: "subprocess.Popen[bytes]") -> None:
        """Raise SessionEnded unless the client has said by its end that the command cannot be started."""
        if client.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                client.wait(1.0)  # its output ends just before itself
        if client.poll() is None:
            raise SessionEnded(f"No command begins in the container within {_START_S:g} s.")
        self._check_running()

    def _check_running(self) -> None:
        """Raise SessionEnded unless the container runs."""
        form = "{{.State.Running}} {{.State.OOMKilled}}"
        try:
            said = self._engine.call("inspect", "--type", "container", "--format", form, self._id).decode().split()
        except EngineError as e:
            raise SessionEnded(f"The container is gone: {e}") from e
        if said[:1] != ["true"]:
            more = " It had used up its memory." if said[1:] == ["true"] else ""
            raise SessionEnded(f"The container has ended.{more}")


class _Reader:
    """Reads the output of a client, in which our own words stand between zero bytes, and feeds its input."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: Output, data: bytes):
        self.output, self.is_shell = output, False
        """For a shell, the input stays open."""
        self._process, self._left, self._pending = process, memoryview(data), b""
        self._has_closed = False
        assert process.stdin is not None and process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def read_until(self, word: str, end: float) -> str | None:
        """Read up to a word of ours, and return what follows it; None if the time or the output ends before."""
        mark = b"\0" + word.encode() + b" "
        while True:
            place = self._pending.find(mark)
            stop = self._pending.find(b"\0", place + 1) if place >= 0 else -1
            if stop >= 0:
                told = self._pending[place + len(mark) : stop].decode("ascii", "replace")
                self.output.add(self._pending[:place])
                self._pending = self._pending[stop + 1 :]
                return told
            if place < 0 and len(self._pending) > _MAX_MARKER:
                self.output.add(self._pending[:-_MAX_MARKER])
                self._pending = self._pending[-_MAX_MARKER:]
            if self._has_closed or not self._wait(end):
                self._flush()
                return None

    def read_to_end(self, end: float) -> bool:
        """Read until the client has ended; return whether it has in time."""
        while True:
            self._flush()
            if self._has_closed or (not self.is_shell and self._process.poll() is not None and not self._wait(0.0)):
                break
            if not self._wait(end):
                return False
        left = max(0.0, end - time.monotonic())
        try:
            self._process.wait(max(left, 1.0))
        except subprocess.TimeoutExpired:
            return False
        return True

    def forget(self) -> None:
        """Keep what is left for nobody, but leave the client alive."""
        self._flush()
        self._selector.close()

    def close(self) -> None:
        """End the client."""
        self._selector.close()
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for pipe in (self._stdin, self._stdout):
            with suppress(OSError):
                pipe.close()

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
                self._has_closed = True
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
            if not self.is_shell:
                self._stdin.close()


def _shell_text(word: str, command: bytes) -> bytes:
    """Return what a shell reads to say when it begins, to run a command, and to say how it ended."""
    begin = f'read -r __up __rest < /proc/uptime; printf "\\000{word}-begun %s\\000" "$__up"\n'
    end = f'\n}} </dev/null; printf "\\000{word} %d\\000" $?\n'
    return begin.encode() + b"{ eval " + _quote(command) + end.encode()


def _quote(text: bytes) -> bytes:
    return b"'" + text.replace(b"'", b"'\\''") + b"'"


def _ticks(uptime: str | None) -> str:
    """Return seconds with two digits as hundredths, and one less, so that nothing of this moment is missed."""
    digits = (uptime or "").replace(".", "")
    return str(max(1, int(digits) - 1)) if digits.isdigit() else "1"
